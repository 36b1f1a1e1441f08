"""How large a batch may be: a budget of memory found from the device, and what to do when it was too large."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from punctum.evaluators.models.base import ModelError
from punctum.records import Response

_log = logging.getLogger("punctum")
T = TypeVar("T")

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_SHARE_OF_GPU = 0.8  # of what is free once the weights are loaded
_SHARE_OF_MEMORY = 0.5  # other programs live there, too


def parse_size(text: str) -> int:
    """Bytes of a size such as `12GB`, `500 MB`, `2.5g` or `1GiB`.

    Raises:
        ValueError: for anything else, and for no bytes at all.
    """
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?\s*", text.lower())
    size = 0
    if match:
        unit = _UNITS[match[2]]
        size = int(float(match[1]) * (unit if not match[3] else 1024 ** " kmgt".index(match[2] or " ")))
    if size <= 0:
        raise ValueError(f"{text!r} is no size of memory; write 12GB or 500MB")
    return size


def found(device: Any) -> int:
    """Bytes that a batch may take on a device."""
    import torch

    if device.type == "cuda":
        free = torch.cuda.mem_get_info(device)[0]
        spare = torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
        return int((free + spare) * _SHARE_OF_GPU)
    if device.type == "mps":
        free = torch.mps.recommended_max_memory() - torch.mps.current_allocated_memory()
        return int(max(free, 0) * _SHARE_OF_GPU)
    return int(_main_memory() * _SHARE_OF_MEMORY)


def _main_memory() -> int:
    """Bytes of main memory that are free, or that a container leaves."""
    free = []
    try:
        text = Path("/proc/meminfo").read_text(encoding="ascii")
        free.append(int(text.partition("MemAvailable:")[2].split()[0]) * 1024)
    except (OSError, ValueError, IndexError):
        pass
    group = Path("/sys/fs/cgroup")
    try:
        most = int((group / "memory.max").read_text(encoding="ascii"))
        free.append(most - int((group / "memory.current").read_text(encoding="ascii")))
    except (OSError, ValueError):  # no container, or "max"
        pass
    if not free and hasattr(os, "sysconf"):
        free.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    return max(min(free, default=4 * 10**9), 0)


class Room:
    """How many rows of which length a batch may have.

    Attributes:
        rows: at most; halved each time that a batch did not fit after all.
        bytes: of memory for a batch.
    """

    def __init__(self, model: Any, rows: int, size: int | None = None) -> None:
        """Find out what a token costs.

        Args:
            model: of transformers.
            rows: rows a batch at the most.
            size: bytes for a batch; None finds them from the device.
        """
        self.rows = rows
        self.bytes = found(model.device) if size is None else size
        config = model.config.get_text_config(decoder=True)
        width = int(getattr(config, "hidden_size", 0) or 1024)
        heads = int(getattr(config, "num_attention_heads", 0) or 1)
        kept_heads = int(getattr(config, "num_key_value_heads", 0) or heads)
        size_of_head = int(getattr(config, "head_dim", 0) or width // heads)
        layers = int(getattr(config, "num_hidden_layers", 0) or 1)
        inner = getattr(config, "intermediate_size", None)
        inner = int(inner) if isinstance(inner, int) else 4 * width
        wide = int(model.dtype.itemsize)
        # Keys and values, and half as much again while they are gathered; one layer's work on a prompt's tokens.
        self._kept = int(layers * 2 * kept_heads * size_of_head * wide * 1.5)
        self._worked = (8 * width + 3 * inner) * wide
        self._written = 12 * int(getattr(config, "vocab_size", 0) or 0)  # three copies of a row's logits, in float32

    def fits(self, count: int, length: int, new: int) -> bool:
        """Whether a batch of `count` rows of `length` tokens, with `new` to be written, is within the room.

        One row always is: it is tried.
        """
        if count <= 1:
            return True
        needed = count * ((length + new) * self._kept + length * self._worked + self._written)
        return count <= self.rows and needed <= self.bytes


def ran_out(error: BaseException) -> bool:
    """Whether an error says that memory has run out. Libraries say so in several ways."""
    import torch

    if isinstance(error, (torch.OutOfMemoryError, MemoryError)):
        return True
    words = ("out of memory", "can't allocate memory", "cannot allocate memory", "ALLOC_FAILED")
    return isinstance(error, RuntimeError) and any(word in str(error) for word in words)


def shrinking(
    batch: Sequence[T],
    run: Callable[[Sequence[T]], list[Response]],
    room: Room,
    forget: Callable[[], None] = lambda: None,
) -> Iterator[list[tuple[T, Response]]]:
    """Run a batch, by halves where memory runs out.

    Args:
        batch: what to run.
        run: gives a response each.
        room: its `rows` are lowered, so that the batches to come fit at once.
        forget: lets go of what is kept between batches.

    Yields:
        the batch's items with their responses; an item that does not fit alone fails.
    """
    waiting = [batch]
    while waiting:
        items = waiting.pop()
        try:
            answers = run(items)
        except Exception as error:
            if not ran_out(error):
                raise
            words = str(error).splitlines()[0] if str(error) else type(error).__name__
        else:
            yield list(zip(items, answers, strict=True))
            continue
        # The error is gone here, and with it the frames that held the tensors.
        forget()
        _release()
        if len(items) == 1:
            yield [(items[0], Response(error=f"out of memory for this question alone: {words}"))]
            continue
        half = len(items) // 2
        room.rows = min(room.rows, max(1, half))
        _log.warning("out of memory with %d questions at a time; going on with %d", len(items), room.rows)
        waiting += [items[half:], items[:half]]


def _release() -> None:
    import gc

    import torch

    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def room_of(model: Any, rows: int, memory: str | None) -> Room:
    """The budget of a model's batches.

    Args:
        model: of transformers.
        rows: `--batch-size`.
        memory: `--batch-memory`.

    Raises:
        ModelError: if that is no size.
    """
    try:
        return Room(model, rows, None if memory is None else parse_size(memory))
    except ValueError as error:
        raise ModelError(f"--batch-memory: {error}") from error
