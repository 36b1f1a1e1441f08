"""A task ready to be asked or scored, and what becomes of its questions on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from punctum.evaluators.base import Benchmark, Loader, Task
from punctum.evaluators.judging import Judged
from punctum.evaluators.options import Options
from punctum.records import Request, Response, Sample


@dataclass
class Asked:
    """A question on its way through a run.

    Attributes:
        sample: the question.
        texts: what the stages before it gave, by name.
        request: what the model was asked; None where it never came to that.
        response: what came back; None until then.
    """

    sample: Sample
    texts: Mapping[str, str] = field(default_factory=dict)
    request: Request | None = None
    response: Response | None = None


class TooManyFailures(RuntimeError):
    """More calls failed than the threshold allows; there is no score. What came of a run is in `judged`."""

    judged: Sequence[Judged] = ()


class Interrupted(RuntimeError):
    """A run was stopped; what came of it until then is in `judged`.

    Attributes:
        judged: what was asked, answered or failed.
        why: what stopped it, where that was not a person: its budget.
    """

    def __init__(self, name: str, judged: Sequence[Judged], n: int, why: str | None = None) -> None:
        answered = sum(prediction.error is None for _, prediction in judged)
        super().__init__(f"{answered} of {n} questions of {name} are answered")
        self.judged = judged
        self.why = why


@dataclass(frozen=True)
class Job:
    """A task with its data, ready to be asked or scored.

    Attributes:
        benchmark, task: what.
        load: gives the rows of a config.
        options: how.
        data: what the data are, for the signature (`sample`, a folder's name, a Hub id).
        max_failed: share of failed calls above which there is no score.
    """

    benchmark: Benchmark
    task: Task
    load: Loader
    options: Options
    data: str = ""
    max_failed: float = 0.01
