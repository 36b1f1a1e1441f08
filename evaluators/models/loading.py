"""From what people write after `--model` to a backend's model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from punctum import discovery
from punctum.evaluators.models._front import Limited
from punctum.evaluators.models._unloaded import from_folder
from punctum.evaluators.models.base import Model, ModelError, ModelOptions

_DEFAULTS = ModelOptions()


def load_model(spec: str, options: ModelOptions | None = None) -> Model:
    """Load a model.

    Args:
        spec: `SCHEME:NAME` of a backend, or a Hub id or folder.
        options: how.

    Raises:
        ModelError: if the scheme is not known, a library is missing, the backend does not take an option that is
            given, or the model cannot be loaded.
    """
    backend, name = _backend(spec)
    options = options or ModelOptions()
    _check_taken(backend, spec, options)
    model: Model = backend.load(name, options)
    counts_itself = getattr(model, "budget", None) is not None
    if options.budget is None or counts_itself or not model.stored:
        return model
    return Limited(model, options.budget)


def outline_model(spec: str, options: ModelOptions | None = None) -> Model:
    """What is known of a model without loading it, for plans: nothing is called, and no weights are read.

    A backend says what it knows by a function `outline(name, options)`; one without is taken for a model that
    reads pictures, and whose stored answers cannot be told before it is loaded.

    Args:
        spec, options: as for `load_model`.

    Raises:
        ModelError: if the scheme is not known, or the model cannot be loaded as asked.
    """
    backend, name = _backend(spec)
    options = options or ModelOptions()
    _check_taken(backend, spec, options)
    if not hasattr(backend, "outline"):
        return from_folder(name, reads_pictures=True)
    model: Model = backend.outline(name, options)
    return model


def once(bring: Callable[[str, ModelOptions], Model]) -> Callable[[str, ModelOptions], Model]:
    """`load_model` or `outline_model`, by which one model does whatever it is named for, where the options are equal.

    A model that judges its own answers, say, need not be in memory twice.
    """
    known: list[tuple[str, ModelOptions, Model]] = []

    def get(spec: str, options: ModelOptions) -> Model:
        found = next((model for name, how, model in known if name == spec and how == options), None)
        if found is None:
            found = bring(spec, options)
            known.append((spec, options, found))
        return found

    return get


def suited(spec: str, options: ModelOptions, main: str) -> ModelOptions:
    """The options of the model that answers, for one that describes, say.

    The revision and the chat format are the answering model's own; arguments of its loader fit another of the same
    backend only; and what the other one's backend does not take is left out.

    Args:
        spec: the other model, as written after `--model`.
        options: of the model that answers.
        main: that model, as written after `--model`.
    """
    backend, _ = _backend(spec)
    own = ["revision", "chat_format", *_unused(backend, options)]
    if backend is not _backend(main)[0]:
        own.append("model_args")
    defaults: dict[str, Any] = {name: getattr(_DEFAULTS, name) for name in own}
    return replace(options, **defaults)


def _backend(spec: str) -> tuple[ModuleType, str]:
    """The backend's module, and what it calls the model."""
    backends = discovery.backends()
    scheme, mark, name = spec.partition(":")
    if not mark or Path(spec).expanduser().exists():
        scheme, name = "", spec
    if scheme not in backends:
        known = ", ".join(f"{known}:" for known in sorted(backends) if known)
        raise ModelError(
            f"no backend {scheme!r} for the model {spec!r}; known: {known}, or a Hub id or folder without a colon"
        )
    if not name:
        raise ModelError(f"{spec!r} names no model; {backends[scheme].DESCRIPTION}")
    return backends[scheme], name


def _check_taken(backend: ModuleType, spec: str, options: ModelOptions) -> None:
    if unused := _unused(backend, options):
        value = getattr(options, unused[0])
        word = f"--{unused[0].replace('_', '-')}" + ("" if value is True else f" {value}")
        raise ModelError(f"{word} does not go with {spec}: {backend.WHY_NOT}; leave it out")


def _unused(backend: ModuleType, options: ModelOptions) -> list[str]:
    """The options that are given and that the backend does not take."""
    not_taken: tuple[str, ...] = getattr(backend, "NOT_TAKEN", ())
    return [name for name in not_taken if getattr(options, name) != getattr(_DEFAULTS, name)]
