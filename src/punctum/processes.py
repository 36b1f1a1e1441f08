"""Several processes for one run, as `accelerate launch` and `torchrun` start them.

Each asks the questions of its own pictures and writes to the one response store. When all are done, the first asks
everything again, finds the answers in the store, and scores them: so the result is that of a single process.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from punctum.records import Sample

_LONGEST = timedelta(days=30)  # one process may have far more to do than another


@dataclass(frozen=True)
class Processes:
    """Which of how many processes this one is.

    Attributes:
        rank: from 0; the first one scores.
        count: 1 without a launcher.
    """

    rank: int = 0
    count: int = 1

    @property
    def first(self) -> bool:
        """Whether this process scores and writes."""
        return self.rank == 0

    def share(self, samples: Sequence[Sample]) -> list[Sample]:
        """This process's questions: whole pictures or pairs, dealt out by turns, so that they share what they can."""
        turns: dict[str, int] = {}
        for sample in samples:
            turns.setdefault(sample.cluster or sample.unit.id, len(turns))
        return [s for s in samples if turns[s.cluster or s.unit.id] % self.count == self.rank]

    def wait(self) -> None:
        """Wait until all processes have come here. One that died is the launcher's to notice: it ends the others."""
        import torch.distributed as dist

        if not dist.is_initialized():
            # gloo on every machine: nothing but this is exchanged, and no device is needed for it
            dist.init_process_group("gloo", timeout=_LONGEST)
        dist.barrier()

    def leave(self) -> None:
        """Say goodbye to the others."""
        import torch.distributed as dist

        if dist.is_initialized():
            dist.destroy_process_group()


def launched() -> Processes:
    """What the launcher said in the environment (`RANK`, `WORLD_SIZE`); one process without a launcher.

    Raises:
        ValueError: if it said what cannot be.
    """
    words = os.environ.get("RANK"), os.environ.get("WORLD_SIZE")
    if None in words:
        return Processes()
    try:
        rank, count = (int(str(word)) for word in words)
    except ValueError:
        raise ValueError(f"RANK={words[0]} and WORLD_SIZE={words[1]} are no numbers; who launched this?") from None
    if not 0 <= rank < count:
        raise ValueError(f"RANK={rank} is none of WORLD_SIZE={count} processes; who launched this?")
    return Processes(rank, count)
