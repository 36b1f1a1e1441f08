"""DeepEval without options: the model writes, and a judge says whether that agrees with the annotation (Table 7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from punctum import answers
from punctum.evaluators.base import NOTHING, Judgement, Loader, Task
from punctum.evaluators.counting import Counted, Meter
from punctum.evaluators.deepeval_rows import SUBSETS, fields_of, labels_of, rows_of
from punctum.evaluators.judging import read_yes_no
from punctum.evaluators.options import Options
from punctum.evaluators.rows import pictures_of, unit_of
from punctum.metrics.judge_consistency.core import judge_consistency
from punctum.records import Form, Prediction, Request, Sample

_WORDS = {"consistent": "yes", "inconsistent": "no"}


def read_consistency(words: str) -> str | None:
    """Whether a judge finds two texts consistent: Yes or No, or the word itself."""
    text = answers.parse_text(words).value or ""
    return _WORDS.get(text.strip(".").casefold()) or read_yes_no(words)


class Free(Task):
    """Write the description, the title or the deep meaning of a cartoon (Appendix J, which gives no prompts)."""

    form: Form = "text"
    default = False
    generative = True
    subsets = SUBSETS
    headline = ("judged_accuracy",)
    max_new_tokens = 256

    def __init__(self, config: str, kind: str) -> None:
        self.name = f"{config}_free"
        self.config = config
        self._kind = kind
        self.judgement = Judgement("deepeval/judge", self._to_judge, decides=True, read=read_consistency)

    def samples(self, load: Loader, options: Options) -> Iterator[Sample]:
        """One sample a row; the reference is the annotation, which is the right option of the choice task."""
        for row in rows_of(load(self.config), options):
            yield Sample(
                unit_of(row, self.name, options),
                self.form,
                (str(row["options"][row["answers"][0]]),),
                cluster=str(row["id"]),
                pictures=pictures_of(row),
                fields=fields_of(row),
            )

    def request(self, sample: Sample, options: Options, texts: Mapping[str, str] = NOTHING) -> Request:
        """Ask for the text alone."""
        return Request(sample, options.prompts.render(f"deepeval/{self.name}"), sample.pictures, options.system)

    def _to_judge(self, sample: Sample, words: str) -> Mapping[str, object]:
        return {"kind": self._kind, "annotation": sample.gold[0], "answer": words}

    def prompt_names(self, options: Options) -> Sequence[str]:
        """One template."""
        return (f"deepeval/{self.name}",)

    def paper_parser(self, sample: Sample) -> str | None:
        """There is nothing to extract."""
        return None

    def score(self, pairs: Iterable[tuple[Sample, Prediction]], options: Options) -> Counted:
        """Share of texts that the judge finds consistent with the annotation; by category where labels are given."""
        verdicts: list[bool | None] = []
        failed: list[bool] = []
        by_label: dict[str, list[bool]] = {}
        meter = Meter()
        empty = 0
        for sample, prediction in pairs:
            word = None if prediction.verdict is None else read_consistency(prediction.verdict)
            verdicts.append(None if word is None else word == "yes")
            failed.append(prediction.error is not None)
            empty += prediction.error is None and prediction.parsed is None
            meter.add("judged_accuracy", sample.cluster, prediction.correct)
            for name in labels_of(sample):
                by_label.setdefault(name, []).append(prediction.correct)
        if not verdicts:
            return Counted(0, 0, 0, {})
        found = judge_consistency(verdicts, failed)
        metrics = {name: found[name] for name in ("judged_accuracy", "judged_accuracy_answered")}
        breakdowns: dict[str, object] = {"n_empty": empty}
        if by_label:
            breakdowns["by_label"] = {
                name: {"judged_accuracy": sum(v) / len(v), "n": len(v)} for name, v in sorted(by_label.items())
            }
        intervals = meter.intervals(options.confidence_level, options.n_resamples, options.seed)
        return Counted(len(verdicts), found["n_unparsed"], found["n_failed"], metrics, intervals, breakdowns)
