"""VAGUE's person tags: name the colour of a tagged person's shirt, before a score by pictures is trusted (B.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from punctum.evaluators.base import NOTHING, Loader, Task
from punctum.evaluators.counting import Counted, Meter, tally
from punctum.evaluators.options import Options
from punctum.evaluators.rows import iterate, pictures_of, unit_of
from punctum.records import Form, Prediction, Request, Sample


class PersonTags(Task):
    """Name the colour of a tagged person's shirt: can a model read the tags at all?"""

    name = "person_tags"
    form: Form = "text"
    config = "person_tags"
    default = False
    subsets = ("2", "5", "10")

    def samples(self, load: Loader, options: Options) -> Iterator[Sample]:
        """One sample a drawn picture; any colour of shirt that is ever drawn can be named."""
        from punctum.datasets_scripts.vague.person_tags import SHIRTS

        rows = load(self.config, subset=options.subset, seed=options.seed)
        for row in iterate(rows, options.limit):
            yield Sample(
                unit_of(row, self.name, options),
                self.form,
                tuple(row["references"]),
                options=tuple(sorted(SHIRTS)),
                cluster=str(row["id"]),
                pictures=pictures_of(row),
                fields={"question": row["question"], "people": row["category"]},
            )

    def request(self, sample: Sample, options: Options, texts: Mapping[str, str] = NOTHING) -> Request:
        """The question that comes with the picture."""
        prompt = options.prompts.render("vague/person_tags", question=sample.fields["question"])
        return Request(sample, prompt, sample.pictures, options.system)

    def prompt_names(self, options: Options) -> Sequence[str]:
        """One template."""
        return ("vague/person_tags",)

    def paper_parser(self, sample: Sample) -> str | None:
        """The paper says nothing of how answers were read."""
        return None

    def score(self, pairs: Iterable[tuple[Sample, Prediction]], options: Options) -> Counted:
        """Accuracy, also by number of people."""
        right: dict[str, list[bool]] = {}
        read: list[bool] = []
        unparsed = failed = 0
        meter = Meter()
        for sample, prediction in pairs:
            right.setdefault(str(sample.fields["people"]), []).append(prediction.correct)
            if prediction.parsed is not None and prediction.error is None:
                read.append(prediction.correct)
            meter.add("accuracy", sample.cluster, prediction.correct)
            counts = tally(prediction)
            unparsed += counts[0]
            failed += counts[1]
        every = [correct for answers in right.values() for correct in answers]
        metrics = {
            "accuracy": sum(every) / len(every) if every else None,
            "accuracy_answered": sum(read) / len(read) if read else None,
        }
        people = sorted(right, key=int)
        table = {
            number: {"accuracy": sum(right[number]) / len(right[number]), "n": len(right[number])} for number in people
        }
        intervals = meter.intervals(options.confidence_level, options.n_resamples, options.seed)
        return Counted(len(every), unparsed, failed, metrics, intervals, {"by_people": table})
