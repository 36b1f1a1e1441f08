"""Causal language models of transformers: a Hub id or a folder (`text:NAME`)."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from punctum.evaluators.models import _batching, _decoding, _likelihood, _loading, _memory, _probe
from punctum.evaluators.models._answers import longest, plain, read_answer, too_long
from punctum.evaluators.models._batching import Asked
from punctum.evaluators.models._prefix import Ids
from punctum.evaluators.models._prompting import TextPrompts
from punctum.evaluators.models._rows import padded
from punctum.evaluators.models._sharing import Family, Part, SharedModel
from punctum.evaluators.models._unloaded import Unloaded, from_folder
from punctum.evaluators.models.base import Batch, ModelError, ModelOptions
from punctum.records import Generation, ModelInfo, Request, Response

if TYPE_CHECKING:
    import torch

SCHEME = "text"
DESCRIPTION = "a text model of transformers, Hub id or folder: text:NAME"
NEEDS = "models"

_log = logging.getLogger("punctum")
_TEXT = Family("text")


def load(name: str, options: ModelOptions) -> TextModel:
    """Load a causal language model and its tokenizer.

    Raises:
        ModelError: if it cannot be loaded; the message names the way out.
    """
    transformers = _loading.require("transformers", "models")
    device = _loading.pick_device(options.device)
    path, local = _loading.where(name)
    arguments = _loading.loader_arguments(options, device, local)
    if local:
        _loading.check_weights(Path(path))
    with _loading.explained(name):
        shared = {"trust_remote_code": options.trust_remote_code, **_loading.hub_arguments(options, local)}
        tokenizer = transformers.AutoTokenizer.from_pretrained(path, **shared)
        model = transformers.AutoModelForCausalLM.from_pretrained(path, **arguments)
    info = _loading.describe(name, path, local, model, "transformers-text")
    return TextModel(model, tokenizer, options, device, info)


def outline(name: str, options: ModelOptions) -> Unloaded:
    """What is known without loading it."""
    return from_folder(name, reads_pictures=False)


class TextModel:
    """A causal language model with its tokenizer, batched by length."""

    reads_pictures = False
    writes = True
    scores = True
    ranks = False
    stored = True
    shares = True

    def __init__(
        self, model: Any, tokenizer: Any, options: ModelOptions, device: torch.device, info: ModelInfo
    ) -> None:
        """Wrap a loaded model.

        Args:
            model, tokenizer: of transformers.
            options: batch size and the rest.
            device: where the model goes, unless it has been placed already.
            info: dtype and quantization are filled in where they are missing.
        """
        self.model, self.info = _loading.settled(model, options, device, info)
        self.tokenizer = tokenizer
        self.options = options
        self.prompts = TextPrompts(tokenizer, info.id, options.chat_format)
        self.kept = _decoding.keep_tokens_only(model)
        self.ends = _decoding.end_tokens(model, tokenizer)
        self.pad = _decoding.pad_token(tokenizer, self.ends)
        self.room = _memory.room_of(model, options.batch_size, options.batch_memory)
        self._keeps_logits = "logits_to_keep" in inspect.signature(model.forward).parameters

    @cached_property
    def shared(self) -> SharedModel | None:
        """What runs shared starts once; None where the model does not allow it, or `--share` says otherwise."""
        shared = None
        if self.options.share == "auto":
            shared = _probe.shared_model(self.model, self.pad, self.info.id, self._compare)
        _log.info("%s: %s", self.info.id, "shared starts run once" if shared else "each prompt runs by itself")
        return shared

    def _compare(self, shared: SharedModel) -> tuple[_probe.Steps, _probe.Steps, float]:
        """Two prompts of unequal length on both paths."""
        text = "The picture shows a man who carries a hat. What does it mean?"
        long, short = (tuple(self._with_start(self.prompts.ids(text + more))) for more in (" Answer: the hat", " No"))
        forced = long[-3:-1]

        def steps(*rows: Ids) -> list[Any]:
            ids, mask = padded(rows, self.pad, self.model.device)
            return _probe.steps_of(self.model, {"input_ids": ids, "attention_mask": mask}, forced, self.pad)

        alone = [*steps(long), *steps(short)]
        out = shared.generate([Part(_TEXT, [long, short])], _probe.step_arguments(forced, self.pad))
        return alone, _probe.by_row(out), _probe.difference(alone, steps(long, short))

    def fingerprint(self) -> Mapping[str, Any]:
        """Versions, device type, chat template, the tokens that end an answer, and whether starts are shared."""
        return {
            **_loading.versions(),
            "class": type(self.model).__name__,
            "device": self.model.device.type,
            "chat_format": self.prompts.chat_format,
            "chat_template": _loading.text_hash(self.prompts.template),
            "tokens": {name: plain(value) for name, value in self.kept.items()},
            "model_args": {name: str(value) for name, value in self.options.model_args.items()},
            "sharing": "prefix" if self.shared else "plain",
        }

    def answer(self, requests: Sequence[Request], generation: Generation) -> Iterator[Batch]:
        """Answer in batches by length; see `Model.answer`.

        Raises:
            ModelError: if a request carries pictures, or settings do not go together.
        """
        if any(request.pictures for request in requests):
            raise ModelError(f"{self.info.id} is a text model and sees no pictures; use --setting lm or sm")
        if any(request.continuations for request in requests):
            yield from self._score_all(requests, generation)
        else:
            yield from self._write_all(requests, generation)

    def _write_all(self, requests: Sequence[Request], generation: Generation) -> Iterator[Batch]:
        prompts: list[Asked] = []
        failed: list[tuple[int, Response]] = []
        for index, request in enumerate(requests):
            ids = self._with_start(self.prompts.ids(self.prompts.text(request, generation.extra)))
            error = too_long(self.model, len(ids), generation.max_new_tokens)
            if error is None:
                prompts.append(Asked(index, tuple(ids), _TEXT))
            else:
                failed.append((index, Response(error=error, prompt_tokens=len(ids))))
        if failed:
            yield failed
        groups: list[list[Asked]] = []
        if self.shared is not None and _batching.can_share(generation):
            groups, prompts = _batching.by_start(prompts)
        groups.sort(key=lambda group: max(len(asked.ids) for asked in group), reverse=True)
        prompts.sort(key=lambda asked: len(asked.ids), reverse=True)
        for batch in _batching.fill(groups, self.room, generation.max_new_tokens):
            yield from self._write(batch, requests, generation, self.shared)
        for batch in _batching.fill([prompts], self.room, generation.max_new_tokens):
            yield from self._write(batch, requests, generation, None)

    def _write(
        self, batch: Sequence[Asked], requests: Sequence[Request], generation: Generation, shared: SharedModel | None
    ) -> Iterator[Batch]:
        """Generate for one batch."""

        def run(batch: Sequence[Asked]) -> list[Response]:
            import torch

            asked = [requests[one.index] for one in batch]
            rows = [one.ids for one in batch]
            arguments = _decoding.write_arguments(generation, asked, self.tokenizer, self.ends)
            if shared is not None:
                new = shared.write(_batching.parts_of(batch, _batching.most_in_a_pass(self.model)), arguments)
            else:
                ids, mask = padded(rows, self.pad, self.model.device)
                with torch.inference_mode():
                    written = self.model.generate(input_ids=ids, attention_mask=mask, **arguments)
                new = written[:, ids.shape[1] :].tolist()
            return [read_answer(self, row, len(prompt), generation) for row, prompt in zip(new, rows, strict=True)]

        forget = shared.forget if shared is not None else lambda: None
        for done in _memory.shrinking(batch, run, self.room, forget):
            yield [(one.index, response) for one, response in done]

    def _score_all(self, requests: Sequence[Request], generation: Generation) -> Iterator[Batch]:
        prompts: list[Asked] = []
        failed: list[tuple[int, Response]] = []
        for index, request in enumerate(requests):
            error = _likelihood.empty_continuation(request.continuations)
            asked = None if error else self._asked(index, request, generation)
            error = error or too_long(self.model, longest(asked), 0)
            if asked is None or error is not None:
                failed.append((index, Response(error=error)))
            else:
                prompts.append(asked)
        if failed:
            yield failed
        shared = self.shared
        if shared is None:
            yield from self._score_plainly(prompts)
            return
        groups, alone = _batching.by_start(prompts)
        most = _batching.most_in_a_pass(self.model)
        for batch in _batching.scoring_batches([*groups, alone], self.room, most):
            for done in _memory.shrinking(batch, partial(_batching.score, shared), self.room, shared.forget):
                yield [(one.index, response) for one, response in done]

    def _score_plainly(self, prompts: Sequence[Asked]) -> Iterator[Batch]:
        """Each prompt with each of its continuations as a row of its own."""
        rows = [
            _likelihood.Row(asked.index, place, asked.ids, tail)
            for asked in prompts
            for place, tail in enumerate(asked.tails)
        ]
        counts = {asked.index: len(asked.tails) for asked in prompts}
        scores: dict[int, dict[int, float]] = {}
        for batch in _likelihood.batches(rows, self.room.rows):
            for row, value in zip(
                batch, _likelihood.score(batch, self._forward, self.pad, self.model.device), strict=True
            ):
                scores.setdefault(row.owner, {})[row.place] = value
            done = [index for index in scores if len(scores[index]) == counts[index]]
            if done:
                yield [(index, _scored(scores.pop(index))) for index in done]

    def _asked(self, index: int, request: Request, generation: Generation) -> Asked:
        """A request's prompt and its continuations, as tokens."""
        prompt, space = self.prompts.text(request, generation.extra), ""
        if not self.prompts.is_chat:
            prompt, space = _likelihood.split_prompt(prompt)
        after_control = self.prompts.is_chat and self.prompts.guard.ends(prompt)
        ids = tuple(self._with_start(self.prompts.ids(prompt)))
        continuations = [
            space + _likelihood.separated(prompt + space, self.prompts.guard.cut(text), after_control)
            for text in request.continuations
        ]
        tails = _likelihood.continuation_ids(self.prompts.ids, self.prompts.plain_ids, prompt, continuations)
        return Asked(index, ids, _TEXT, tuple(tails))

    def _with_start(self, ids: list[int]) -> list[int]:
        """An empty prompt still needs a token to start from."""
        start = self.tokenizer.bos_token_id
        return ids or [min(self.ends, default=0) if start is None else start]

    def _forward(self, ids: torch.Tensor, mask: torch.Tensor, keep: int) -> torch.Tensor:
        import torch

        arguments = {"logits_to_keep": keep} if self._keeps_logits else {}
        with torch.inference_mode():
            logits: torch.Tensor = self.model(input_ids=ids, attention_mask=mask, use_cache=False, **arguments).logits
        return logits[:, -keep:]


def _scored(scores: Mapping[int, float]) -> Response:
    return Response(scores=tuple(scores[place] for place in sorted(scores)))
