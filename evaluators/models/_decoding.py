"""How the transformers backends write: settings, sampling with a seed of its own for each request, the cut."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from punctum.evaluators.models._stopping import Readable
from punctum.evaluators.models.base import ModelError
from punctum.records import Generation, Request

if TYPE_CHECKING:
    import torch

_SAMPLING = ("do_sample", "min_p", "typical_p", "epsilon_cutoff", "eta_cutoff")


def keep_tokens_only(model: Any) -> dict[str, Any]:
    """Replace a model's own generation defaults by its token ids, and return these.

    Checkpoints carry defaults such as a temperature or a repetition penalty. What a benchmark measures is
    said by `Generation` alone, so these are put away; which tokens end an answer stays.
    """
    kept = {
        name: value
        for name, value in model.generation_config.to_diff_dict().items()
        if value is not None and name.endswith(("_token_id", "_tokens", "bad_words_ids"))
    }
    model.generation_config = type(model.generation_config)(**kept)
    return kept


def end_tokens(model: Any, tokenizer: Any) -> frozenset[int]:
    """The ids that end an answer: the generation config's, else the tokenizer's."""
    wanted = model.generation_config.eos_token_id
    if wanted is None:
        wanted = tokenizer.eos_token_id
    if wanted is None:
        return frozenset()
    return frozenset([wanted] if isinstance(wanted, int) else wanted)


def request_seed(request: Request, seed: int) -> int:
    """A seed that depends on what is asked and on nothing else: not on the batch, not on the order."""
    pictures = "".join(picture.sha256 for picture in request.pictures)
    key = f"{seed}\0{request.attempt}\0{request.system}\0{request.prompt}\0{pictures}"
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") >> 1


def write_arguments(
    generation: Generation, requests: Sequence[Request], tokenizer: Any, ends: frozenset[int]
) -> dict[str, Any]:
    """Keyword arguments of `generate` for one batch.

    Raises:
        ModelError: for settings that do not go together.
    """
    extra = {name: value for name, value in generation.extra.items() if name != "chat_template_kwargs"}
    for name in _SAMPLING:
        if name in extra:
            raise ModelError(f"--gen {name} is not for this backend; use temperature, top_p and top_k")
    arguments: dict[str, Any] = {
        "max_new_tokens": generation.max_new_tokens,
        "do_sample": False,
        "num_beams": generation.num_beams,
        "pad_token_id": pad_token(tokenizer, ends),
        "eos_token_id": sorted(ends) or None,
    }
    if "stop_strings" in extra:
        arguments["tokenizer"] = tokenizer
    if generation.stop_early:
        if generation.num_beams > 1:
            raise ModelError("--stop-early reads along, and beams are chosen at their end; set num_beams to 1")
        arguments["stopping_criteria"] = [Readable(requests, tokenizer)]
    if generation.temperature > 0:
        if generation.num_beams > 1:
            raise ModelError("num_beams above 1 is for greedy search: set temperature to 0, or num_beams to 1")
        arguments["logits_processor"] = [sampler(generation, requests)]
    return {**arguments, **extra}


def pad_token(tokenizer: Any, ends: frozenset[int]) -> int:
    """The id that fills rows up. Masked out, so any will do."""
    if tokenizer.pad_token_id is not None:
        return int(tokenizer.pad_token_id)
    return min(ends, default=0)


def sampler(generation: Generation, requests: Sequence[Request]) -> Callable[[Any, Any], Any]:
    """A logits processor that draws each row's next token with that row's own generator.

    `generate` draws all rows from one stream, so that what a row gets depends on its neighbours. Here a row's
    draws depend on its request and the seed. The chosen token is the only one left, and greedy search takes it.
    """
    import torch

    generators = [torch.Generator().manual_seed(request_seed(request, generation.seed)) for request in requests]

    def draw(input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        logits = (scores.float() / generation.temperature).cpu()
        logits = _filter(logits, generation.top_k, generation.top_p)
        left = torch.full_like(scores, float("-inf"))
        for row, generator in enumerate(generators):
            chosen = torch.multinomial(torch.softmax(logits[row], dim=-1), 1, generator=generator)
            left[row, chosen.to(left.device)] = 0.0
        return left

    return draw


def _filter(logits: torch.Tensor, top_k: int | None, top_p: float) -> torch.Tensor:
    """Logits (rows, vocabulary) with all but the `top_k` largest, and the tail beyond `top_p`, at minus infinity."""
    import torch

    if top_k:
        least = torch.topk(logits, min(top_k, logits.shape[-1])).values[:, -1:]
        logits = logits.masked_fill(logits < least, float("-inf"))
    if top_p < 1:
        ordered, places = torch.sort(logits, descending=True)
        mass = torch.softmax(ordered, dim=-1)
        beyond = mass.cumsum(dim=-1) - mass >= top_p  # the token that crosses the line stays
        logits = logits.masked_fill(beyond.scatter(1, places, beyond), float("-inf"))
    return logits


def cut_answer(
    ids: Sequence[int], ends: frozenset[int], pad: int, limit: int, early: bool = False
) -> tuple[list[int], str]:
    """The tokens of one answer, and why it ended.

    Args:
        ids: the new tokens of a row, filled up behind its end.
        ends: the tokens that end an answer.
        pad: the token that fills up.
        limit: how many were allowed.
        early: whether something else, such as a stop string, can end an answer.

    Returns:
        the tokens before the end, and "stop" or "length".
    """
    for place, token in enumerate(ids):
        if token in ends:
            return list(ids[:place]), "stop"
    kept = list(ids)
    while early and kept and kept[-1] == pad:
        kept.pop()
    return kept, "length" if len(kept) >= limit else "stop"


def by_length(keys: Mapping[int, Any], size: int) -> Iterator[list[int]]:
    """Indices in batches of at most `size`, the longest first, so that a lack of memory shows early."""
    order = sorted(keys, key=lambda index: keys[index], reverse=True)
    for start in range(0, len(order), size):
        yield order[start : start + size]
