"""Log-likelihoods in the image-text backend, a question at a time, with the picture repeated for each continuation.

The plain path: what models are scored by whose prompts cannot be shared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from punctum.evaluators.models import _likelihood
from punctum.evaluators.models._answers import too_long
from punctum.evaluators.models._memory import Room
from punctum.evaluators.models._picture_prompts import PicturePrompts
from punctum.evaluators.models._pictures import UnreadablePicture, open_all
from punctum.evaluators.models._rows import ALIGNED, tile
from punctum.evaluators.models.base import ModelError
from punctum.records import Generation, ModelInfo, Request, Response

if TYPE_CHECKING:
    import torch
    from PIL.Image import Image


class PlainScoring:
    """The part of an image-text model that scores continuations on the plain path."""

    info: ModelInfo
    model: Any
    tokenizer: Any
    prompts: PicturePrompts
    room: Room
    pad: int
    _keeps_logits: bool
    _continuation_type: int | None

    def _inputs(
        self, requests: Sequence[Request], images: Sequence[Sequence[Image]], generation: Generation
    ) -> dict[str, Any]:
        raise NotImplementedError

    def _score(self, request: Request, generation: Generation) -> Response:
        """Log-likelihoods of one request's continuations."""
        error = _likelihood.empty_continuation(request.continuations)
        if error is not None:
            return Response(error=error)
        try:
            inputs = self._inputs([request], [open_all(request.pictures)], generation)
        except UnreadablePicture as unreadable:
            return Response(error=str(unreadable))
        except Exception as refused:
            return Response(error=f"{type(refused).__name__}: {refused}")
        prompt = tuple(inputs["input_ids"][0].tolist())
        tails = self._tails(request, generation)
        rows = [_likelihood.Row(0, place, prompt, tail) for place, tail in enumerate(tails)]
        error = too_long(self.model, max(map(len, rows)), 0)
        if error is not None:
            return Response(error=error)
        if self._continuation_type is None:
            self._continuation_type = self._find_continuation_type(inputs, rows[0])
        forward = self._forward(inputs, self._continuation_type)
        scores: dict[int, float] = {}
        for batch in _likelihood.batches(rows, self.room.rows):
            values = _likelihood.score(batch, forward, self.pad, self.model.device)
            scores.update((row.place, value) for row, value in zip(batch, values, strict=True))
        return Response(scores=tuple(scores[place] for place in range(len(rows))), prompt_tokens=len(prompt))

    def _tails(self, request: Request, generation: Generation) -> list[tuple[int, ...]]:
        """The tokens of each continuation, split off from the text before pictures take their place in it."""
        guard = self.prompts.guard
        prompt = self.prompts.text(request, generation.extra)

        def encode(text: str) -> list[int]:
            starts = self.prompts.starts_itself(text)
            return guard.keep(self.tokenizer(text, add_special_tokens=not starts)["input_ids"])

        def alone(text: str) -> list[int]:
            return guard.keep(self.tokenizer(text, add_special_tokens=False)["input_ids"])

        after_control = guard.ends(prompt)
        texts = [_likelihood.separated(prompt, guard.cut(text), after_control) for text in request.continuations]
        return _likelihood.continuation_ids(encode, alone, prompt, texts)

    def _forward(self, inputs: Mapping[str, Any], token_type: int) -> _likelihood.Forward:
        """A forward pass for rows that share the pictures and the prompt of `inputs`."""
        import torch

        length = inputs["input_ids"].shape[1]

        def forward(ids: torch.Tensor, mask: torch.Tensor, keep: int) -> torch.Tensor:
            more = ids.shape[1] - length
            arguments: dict[str, Any] = {"input_ids": ids, "attention_mask": mask, "use_cache": False}
            for name, value in inputs.items():
                if name in arguments:
                    continue
                rows = tile(value, len(ids))
                if name in ALIGNED:
                    rows = torch.cat([rows, rows.new_full((len(ids), more), token_type)], dim=1)
                arguments[name] = rows
            if self._keeps_logits:
                arguments["logits_to_keep"] = keep
            with torch.inference_mode():
                logits: torch.Tensor = self.model(**arguments).logits
            return logits[:, -keep:]

        return forward

    def _find_continuation_type(self, inputs: Mapping[str, Any], row: _likelihood.Row) -> int:
        """The token type under which a continuation is not seen from the prompt before it.

        Models that attend both ways within a prompt say by `token_type_ids` where it ends, and mean different
        things by 0 and 1. The prompt's last logits with and without a continuation behind it show which is right.

        Raises:
            ModelError: if neither is: such a model cannot be scored in one pass.
        """
        import torch

        near = 1e-3 if self.model.dtype == torch.float32 else 5e-2
        ids = torch.tensor([row.prompt + row.continuation], device=self.model.device)
        mask = torch.ones_like(ids)
        length = len(row.prompt)
        alone = self._forward(inputs, 0)(ids[:, :length], mask[:, :length], 1)[0, 0].float()
        for token_type in (0, 1):
            seen = self._forward(inputs, token_type)(ids, mask, len(row.continuation) + 1)[0, 0].float()
            if float((seen - alone).abs().max() / alone.std()) < near:
                return token_type
        raise ModelError(f"{self.info.id} sees continuations from its prompt; use --scoring generate")
