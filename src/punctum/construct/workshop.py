"""Asking models for texts until what they wrote passes its checks, with a record of every text.

    wants = [Want(item=ad, step="object_swap", prompt="construct/hard_negatives/object_swap",
                  fields={"statement": text}, read=read, stand_in="…") for ad, text in …]
    negatives = workshop.ask(wants)     # a value a want, None where none of the tries was usable

`read` gives what is kept of a model's words, or raises `Unusable` with the reason; the text is then asked for again
as a new attempt, which is another row in the response store. So a second try is made on purpose only, and a run that
was killed repeats no call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from punctum.construct.outputs import FAULTS, GENERATED, Outputs
from punctum.construct.plan import Plan
from punctum.construct.wants import CALL_FAILED, Asking, Kept, Manner, Unusable, Want, request_of
from punctum.evaluators.asking import OnStage, ask
from punctum.evaluators.models.base import Model
from punctum.prompts import Prompts
from punctum.records import Generation, Request, Response
from punctum.store import ResponseStore

SCHEMA_VERSION = 1
COUNTS = ("wanted", "answers", "asked again", "refused", "kept", "kept in part", "given up", "failed calls", "drawn")


class Workshop:
    """Where a kind asks for texts, counts what went wrong and leaves its files.

    Args:
        kind: the kind's name.
        manner: how models are asked.
        load: gives the model of a name as people write it after `--model`; called once a name; in a dry
            run it gives an outline.
        model: the name of the model that writes where a step names no other.
        outputs: where files go.
        prompts: the templates.
        store: where answers are kept.
        on_stage: called with a step and its number of requests; what it returns is called with a number of answers
            and whether they came from the store.
    """

    def __init__(
        self,
        kind: str,
        manner: Manner,
        load: Callable[[str], Model],
        model: str,
        outputs: Outputs,
        prompts: Prompts | None = None,
        store: ResponseStore | None = None,
        on_stage: OnStage | None = None,
    ) -> None:
        self.kind = kind
        self.manner = manner
        self.outputs = outputs
        self.prompts = prompts or Prompts()
        self.store = store
        self.generated: list[dict[str, Any]] = []
        self.faults: list[dict[str, Any]] = []
        self.plan = Plan()
        self.counts: Counter[str] = Counter(dict.fromkeys(COUNTS, 0))
        self.notes: Counter[str] = Counter()
        self.steps: dict[str, Counter[str]] = {}
        self.load = load
        self._name = model
        self._models: dict[str, Model] = {}
        self._on_stage = on_stage

    @property
    def seed(self) -> int:
        """Of everything drawn."""
        return self.manner.generation.seed

    @property
    def dry_run(self) -> bool:
        """Whether nothing is asked and nothing written."""
        return self.manner.dry_run

    def claim(self, names: Iterable[str], folders: Sequence[str] = ()) -> None:
        """Make sure that these files may be written; see `Outputs.claim`. Does nothing in a dry run."""
        if not self.dry_run:
            self.outputs.claim(names, folders)

    def model(self, name: str | None = None) -> Model:
        """The model of a name as written after `--model`; the command's own when None.

        Raises:
            ValueError: if it cannot write freely.
            ModelError: if it cannot be loaded.
        """
        name = name or self._name
        if name not in self._models:
            model = self.load(name)
            if not model.writes or model.info.backend == "baseline":
                raise ValueError(f"{model.info.id} writes no texts; name a model that does with --model")
            self._models[name] = model
        return self._models[name]

    def ask(self, wants: Sequence[Want], max_new_tokens: int = 128, model: str | None = None) -> list[Any]:
        """Ask for texts, again where the checks refuse them.

        Args:
            wants: the texts; equal prompts on equal pictures are asked once a try.
            max_new_tokens: how long a text may be, unless the command line says (`--gen max_new_tokens=N`).
            model: who is asked, as written after `--model`; None is the command's own.

        Returns:
            what was kept of each, in the order of `wants`; None where nothing was, which is a fault that is listed.

        Raises:
            ValueError: if pictures are shown to a model that reads none.
            ModelError: if the model cannot be loaded or asked so.
            OutOfBudget: when no further call may begin.
        """
        prompts = [self.prompts.render(want.prompt, **want.fields).strip() for want in wants]
        if self.dry_run:
            requests = [request_of(want, prompt) for want, prompt in zip(wants, prompts, strict=True)]
            return self.plan.values(wants, requests, self.model(model), self._generation(0, max_new_tokens), self.store)
        self.counts["wanted"] += len(wants)
        for want in wants:
            self.steps.setdefault(want.step, Counter(wanted=0, kept=0))["wanted"] += 1
        asking = Asking(wants, prompts, max_new_tokens)
        if wants:
            asked = self.model(model)
            if any(want.pictures for want in wants) and not asked.reads_pictures:
                raise ValueError(f"{asked.info.id} reads no pictures, and {wants[0].step} shows one; name another")
            for attempt in range(self.manner.tries):
                self._round(asking, asked, attempt)
        for i in asking.open:
            found = wants[i].otherwise()
            asking.kept[i] = None if found is None else self._keep(wants[i], found)
            self._give_up(wants[i], *asking.refused[i], partly=found is not None)
        return asking.kept

    def _round(self, asking: Asking, model: Model, attempt: int) -> None:
        """Ask for all texts that are still open, and read what came, in their order."""
        if not asking.open:
            return
        generation = self._generation(attempt, asking.max_new_tokens)
        requests = [request_of(asking.wants[i], asking.prompts[i], attempt) for i in asking.open]
        responses = self._responses(model, requests, generation)
        still_open = []
        for i, response in zip(asking.open, responses, strict=True):
            want = asking.wants[i]
            if response.error is not None:
                self._failed(want, response.error)
                continue
            self.counts["answers"] += 1
            self.counts["asked again"] += attempt > 0
            try:
                found = want.read(response)
            except Unusable as why:
                self._record(want, model, attempt, generation, response, fault=str(why))
                self.counts["refused"] += 1
                self.notes[f"refused: {why.reason}"] += 1
                asking.refused[i] = why, response.text
                still_open.append(i)
            else:
                self._record(want, model, attempt, generation, response, found)
                asking.kept[i] = self._keep(want, found)
        asking.open = still_open

    def fault(self, item: str, reason: str, detail: str = "", step: str | None = None) -> None:
        """List something that is wrong with what was given, or left out of what is made.

        Args:
            item: which.
            reason: one of a few, since reasons are counted.
            detail: what exactly.
            step: where it concerns one text of the item.
        """
        line = {"item": item, "step": step, "fault": reason, "detail": detail or None}
        self.faults.append({**line, "tries": None, "output": None})

    def drawn(self, item: str, step: str, value: Any, about: Mapping[str, Any] | None = None) -> None:
        """Record a text that no model wrote but that was drawn by seed and id."""
        self.counts["drawn"] += 1
        self.generated.append(
            {"item": item, "step": step, **(about or {}), "model": None, "seed": self.seed, "kept": value}
        )

    def _generation(self, attempt: int, max_new_tokens: int) -> Generation:
        first = self.manner.generation
        if not self.manner.fixed_length:
            first = replace(first, max_new_tokens=max_new_tokens)
        if attempt == 0:
            return first
        return replace(first, temperature=max(first.temperature, self.manner.again_temperature), num_beams=1)

    def _responses(self, model: Model, requests: Sequence[Request], generation: Generation) -> list[Response]:
        responses = [Response(error="the backend gave no answer")] * len(requests)
        steps = list(dict.fromkeys(request.sample.unit.task for request in requests))
        name = steps[0] if len(steps) == 1 else f"{steps[0]} and {len(steps) - 1} others"
        name += f", try {requests[0].attempt + 1}" if requests[0].attempt else ""
        report = self._on_stage(name, len(requests)) if self._on_stage else None
        for place, response in ask(model, requests, generation, self.store, report):
            responses[place] = response
        return responses

    def _keep(self, want: Want, found: Kept) -> Any:
        self.counts["kept"] += 1
        self.steps[want.step]["kept"] += 1
        for note in found.notes:
            self.notes[note] += 1
        return found.value

    def _failed(self, want: Want, error: str) -> None:
        self.counts["failed calls"] += 1
        line = {"item": want.item, "step": want.step, **want.about, "fault": CALL_FAILED, "detail": error}
        self.faults.append({**line, "tries": None, "output": None})

    def _give_up(self, want: Want, why: Unusable, output: str, partly: bool) -> None:
        self.counts["given up"] += not partly
        self.counts["kept in part"] += partly
        line = {"item": want.item, "step": want.step, **want.about, "fault": why.reason, "detail": why.detail or None}
        self.faults.append({**line, "tries": self.manner.tries, "output": output})

    def _record(
        self,
        want: Want,
        model: Model,
        attempt: int,
        generation: Generation,
        response: Response,
        found: Kept | None = None,
        fault: str | None = None,
    ) -> None:
        self.generated.append(
            {
                "item": want.item,
                "step": want.step,
                **want.about,
                "attempt": attempt,
                "seed": generation.seed,
                "temperature": generation.temperature,
                "max_new_tokens": generation.max_new_tokens,
                "prompt": want.prompt,
                "prompt_hash": self.prompts.hash(want.prompt),
                "model": asdict(model.info),
                "output": response.text,
                "kept": None if found is None else found.value,
                "notes": [] if found is None else list(found.notes),
                "fault": fault,
            }
        )

    def finish(self, made: int | None = None, **more: Any) -> int:
        """Write the records, print the counts, and give the exit code; in a dry run show the plan instead.

        Args:
            made: how many rows or items came of it in the end; None goes by the texts that were kept.
            more: what else the summary should say of this kind.

        Returns:
            0; 1 where calls failed, or nothing was made.
        """
        from punctum.construct.telling import tell, tell_plan

        if self.dry_run:
            tell_plan(self)
            return 0
        faults = Counter(str(line["fault"]) for line in self.faults)
        names = dict.fromkeys(str(line["prompt"]) for line in self.generated if line["model"])
        self.outputs.lines(GENERATED, self.generated)
        self.outputs.lines(FAULTS, self.faults)
        self.outputs.finish(
            {
                "schema_version": SCHEMA_VERSION,
                "models": [asdict(model.info) for model in self._models.values()],
                "prompts": {name: self.prompts.hash(name) for name in names},
                "seed": self.seed,
                "tries": self.manner.tries,
                "counts": dict(self.counts),
                "steps": {step: dict(counts) for step, counts in self.steps.items()},
                "notes": dict(sorted(self.notes.items())),
                "faults": dict(sorted(faults.items())),
                "made": made,
                **more,
            }
        )
        something = made if made is not None else self.counts["kept"] + self.counts["drawn"]
        if not self.manner.quiet:
            tell(self, faults, made)
        return 0 if something and not self.counts["failed calls"] else 1
