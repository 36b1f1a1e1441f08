"""What a backend is: a file in this folder with a `SCHEME` and a `load`.

`--model SCHEME:NAME` finds the file whose `SCHEME` it is and calls its `load(NAME, options)`. A model
without a scheme is a Hub id or a folder (`transformers_auto.py`, `SCHEME = ""`). `DESCRIPTION` and `NEEDS` (an extra of
the package) are for `punctum list`. `NOT_TAKEN` names fields of `ModelOptions` that the backend has no use for: giving
one is an error that says `WHY_NOT`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from punctum.evaluators.models._budget import Budget
from punctum.records import Generation, ModelInfo, Request, Response

Batch = Sequence[tuple[int, Response]]


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How a model is loaded: the options of `punctum run` that concern backends.

    Attributes:
        revision: branch, tag or commit of a Hub model.
        dtype: `auto`, `float32`, `bfloat16`, `float16`.
        quantize: `8bit` or `4bit` through bitsandbytes.
        device: `cpu`, `cuda`, `cuda:1`, `mps`; None takes the best at hand.
        device_map: handed to transformers.
        batch_size: questions a batch at the most.
        batch_memory: memory for a batch, such as `12GB`; None finds it from the device.
        share: what questions on one picture or with one start share: `auto` (all that the model allows),
            `picture` (the picture's features alone), `off`.
        concurrency: calls at a time, for servers.
        chat_format: how prompts are written: `auto` (the model's chat template, else its family's format),
            `template`, `plain`, or a family.
        trust_remote_code: only where the user asked for it by name.
        model_args: further keyword arguments of the loader (`--model-arg k=v`).
        budget: what all models that share it may use together; None is no limit.
    """

    revision: str | None = None
    dtype: str = "auto"
    quantize: str | None = None
    device: str | None = None
    device_map: str | None = None
    batch_size: int = 16
    batch_memory: str | None = None
    share: str = "auto"
    concurrency: int = 8
    chat_format: str = "auto"
    trust_remote_code: bool = False
    model_args: Mapping[str, Any] = field(default_factory=dict)
    budget: Budget | None = None


#: The fields that concern a model which this process loads and runs.
OF_LOADING = (
    "revision",
    "dtype",
    "quantize",
    "device",
    "device_map",
    "batch_memory",
    "share",
    "chat_format",
    "trust_remote_code",
)


@runtime_checkable
class Model(Protocol):
    """A backend's model.

    Attributes:
        info: which model it is.
        reads_pictures: whether requests may carry pictures.
        writes: whether it can generate text.
        scores: whether it can give log-likelihoods of continuations.
        ranks: whether it can compare continuations with pictures and texts (dual encoders).
        stored: whether its answers belong in the response store (not for baselines and replay).

    A model may have an attribute `shares`: true where questions on one picture cost less when they are asked
    together, also across tasks.
    """

    info: ModelInfo
    reads_pictures: bool
    writes: bool
    scores: bool
    ranks: bool
    stored: bool

    def fingerprint(self) -> Mapping[str, Any]:
        """Everything on the model's side that an answer depends on (JSON values only).

        Beside `info`: server address, chat template, picture processor settings, library versions.
        """
        ...

    def answer(self, requests: Sequence[Request], generation: Generation) -> Iterator[Batch]:
        """Answer requests, in any order, yielding a batch as soon as it is done.

        Args:
            requests: any number; all with continuations or all without.
            generation: how to write.

        Yields:
            lists of (index into `requests`, response). Every index comes exactly once. A call that failed
            comes as a response with an `error`.

        Raises:
            OutOfBudget: after the answers that the budget allowed, where it did not allow all.
        """
        ...


class ModelError(RuntimeError):
    """A model cannot be loaded or used as asked. The message names the way out."""
