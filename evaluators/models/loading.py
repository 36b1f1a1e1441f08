"""From what people write after `--model` to a backend's model."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from punctum import discovery
from punctum.evaluators.models._budget import Limited
from punctum.evaluators.models._unloaded import from_folder
from punctum.evaluators.models.base import Model, ModelError, ModelOptions


def load_model(spec: str, options: ModelOptions | None = None) -> Model:
    """Load a model.

    Args:
        spec: `SCHEME:NAME` of a backend, or a Hub id or folder.
        options: how.

    Raises:
        ModelError: if the scheme is not known, a library is missing, or the model cannot be loaded.
    """
    backend, name = _backend(spec)
    options = options or ModelOptions()
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
    if not hasattr(backend, "outline"):
        return from_folder(name, reads_pictures=True)
    model: Model = backend.outline(name, options or ModelOptions())
    return model


def _backend(spec: str) -> tuple[ModuleType, str]:
    """The module that a model's name belongs to, and what it is to load."""
    backends = discovery.backends()
    scheme, mark, name = spec.partition(":")
    is_path = Path(spec).expanduser().exists()
    if not mark or is_path:
        scheme, name = "", spec
    if scheme not in backends:
        known = ", ".join(f"{known}:" for known in sorted(backends) if known)
        raise ModelError(
            f"no backend {scheme!r} for the model {spec!r}; known: {known}, or a Hub id or folder without a colon"
        )
    if not name:
        raise ModelError(f"{spec!r} names no model; {backends[scheme].DESCRIPTION}")
    return backends[scheme], name
