"""MVP-Bench (Li et al., 2024): low-level and high-level perception of source and edited pictures.

Rules of scoring: the paper's Section 4 and the authors' published outputs; see `docs/mvp_bench.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from punctum.evaluators.base import NOTHING, Benchmark, Judgement, Loader, Task
from punctum.evaluators.counting import Answered, Counted, Meter, tally
from punctum.evaluators.judging import read_yes_no
from punctum.evaluators.options import Options
from punctum.evaluators.rows import (
    Row,
    choice_continuations,
    choice_sample,
    iterate,
    own_address,
    pictures_of,
    rotations,
    shuffled,
    unit_of,
)
from punctum.metrics.circular_accuracy.core import circular_accuracy
from punctum.metrics.mcq_accuracy.core import mcq_accuracy
from punctum.metrics.paired_yes_no.core import paired_units, paired_yes_no, relative_gap
from punctum.records import Form, Prediction, Request, Sample

LEVELS = ("low", "high")


def _to_judge(sample: Sample, words: str) -> Mapping[str, object]:
    return {"question": sample.fields["question"], "answer": words}


class YesNo(Task):
    """Yes/no questions, each asked of the source picture and of the edited one."""

    name = "yes_no"
    form: Form = "yes_no"
    config = "yes_no"
    subsets = LEVELS
    headline = ("q_acc_low", "q_acc_high", "i_acc_source", "i_acc_edited", "a_acc", "m_acc")
    primary = "m_acc"
    judgement = Judgement("mvp_bench/judge", _to_judge, decides=False, read=read_yes_no)

    def samples(self, load: Loader, options: Options) -> Iterator[Sample]:
        """One sample a row."""
        for row in _rows(load(self.config), options):
            yield Sample(
                unit_of(row, self.name, options),
                self.form,
                str(row["answer"]),
                cluster=str(row["pair"]),
                pictures=pictures_of(row),
                fields=_fields(row),
            )

    def request(self, sample: Sample, options: Options, texts: Mapping[str, str] = NOTHING) -> Request:
        """The published question; likelihood compares "Yes" with "No"."""
        fields = sample.fields
        prompt = options.prompts.render(
            "mvp_bench/yes_no", question=fields["question"], instruction=fields["instruction"]
        )
        continuations = ("Yes", "No") if options.scoring == "likelihood" else ()
        return Request(sample, prompt, sample.pictures, options.system, continuations)

    def prompt_names(self, options: Options) -> Sequence[str]:
        """One template."""
        return ("mvp_bench/yes_no",)

    def paper_parser(self, sample: Sample) -> str:
        """Cut at the first full stop and comma; a judge decides the rest."""
        return "mvp_yes_no"

    def score(self, pairs: Iterable[tuple[Sample, Prediction]], options: Options) -> Counted:
        """Accuracies by side and level, qAcc, iAcc, aAcc, mAcc (Tables 1 and 2)."""
        table = _YesNoTable()
        for sample, prediction in pairs:
            table.add(sample, prediction)
        return table.counted(options)


class _YesNoTable:
    """The columns that `paired_yes_no` reads."""

    def __init__(self) -> None:
        self.words: list[str | None] = []
        self.gold: list[str] = []
        self.pairs: list[str] = []
        self.sides: list[str] = []
        self.levels: list[str] = []
        self.questions: list[str] = []
        self.categories: list[str] = []
        self.unparsed = 0
        self.failed = 0

    def add(self, sample: Sample, prediction: Prediction) -> None:
        unparsed, failed = tally(prediction)
        self.unparsed += unparsed
        self.failed += failed
        self.words.append(prediction.parsed if isinstance(prediction.parsed, str) else None)
        self.gold.append(str(sample.gold))
        fields = sample.fields
        self.pairs.append(str(fields["pair"]))
        self.sides.append(str(fields["side"]))
        self.levels.append(str(fields["level"]))
        self.questions.append(str(fields["question"]))
        self.categories.append(str(fields.get("category") or ""))

    def _columns(self, keep: Sequence[int] | None = None) -> tuple[list[str | None], ...]:
        columns: list[list[str | None]] = [
            self.words, list(self.gold), list(self.pairs), list(self.sides), list(self.levels),
            list(self.questions),
        ]  # fmt: skip
        if keep is None:
            return tuple(columns)
        return tuple([column[i] for i in keep] for column in columns)

    def counted(self, options: Options) -> Counted:
        metrics = dict(paired_yes_no(*self._columns()))
        counts = {name: metrics.pop(name) for name in list(metrics) if name == "n" or name.startswith("n_")}
        metrics.update(self._answered())
        meter = Meter()
        for name, (clusters, numerators, denominators) in paired_units(*self._columns()).items():
            for cluster, numerator, denominator in zip(clusters, numerators, denominators, strict=True):
                meter.add(name, str(cluster), float(numerator), float(denominator))
        intervals = meter.intervals(options.confidence_level, options.n_resamples, options.seed)
        breakdowns = {
            "counts": counts,
            "relative_gap": self._gaps(metrics),
            "q_acc_by_category": self._by_category(),
        }
        return Counted(len(self.words), self.unparsed, self.failed, metrics, intervals, breakdowns)

    def _answered(self) -> dict[str, float | None]:
        """The same over answered rows; a group with an unanswered row is left out whole."""

        def kept(prefixes: tuple[str, ...], *key: Sequence[str]) -> dict[str, float | None]:
            keys = list(zip(*key, strict=True))
            broken = {k for k, word in zip(keys, self.words, strict=True) if word is None}
            rows = [i for i, k in enumerate(keys) if k not in broken]
            if not rows:
                return {}
            found = paired_yes_no(*self._columns(rows))
            return {f"{name}_answered": v for name, v in found.items() if name.startswith(prefixes)}

        each = [str(i) for i in range(len(self.words))]
        return {
            **kept(("acc_", "a_acc"), each),
            **kept(("q_acc",), self.pairs, self.questions, self.levels),
            **kept(("i_acc",), self.pairs, self.sides),
            **kept(("m_acc",), self.pairs),
        }

    def _gaps(self, metrics: dict[str, float | None]) -> dict[str, float | None]:
        pairs = {
            "q_acc low to high": ("q_acc_low", "q_acc_high"),
            "i_acc source to edited": ("i_acc_source", "i_acc_edited"),
        }
        return {name: relative_gap(metrics[a], metrics[b]) for name, (a, b) in pairs.items()}

    def _by_category(self) -> dict[str, dict[str, float | int | None]]:
        """qAcc by category, both levels together."""
        right: dict[tuple[str, str, str, str], list[bool]] = {}
        for category, *key, word, gold in zip(
            self.categories, self.pairs, self.questions, self.levels, self.words, self.gold, strict=True
        ):
            right.setdefault((category, *key), []).append(word == gold)
        table: dict[str, list[bool]] = {}
        for (category, *_), answers in sorted(right.items()):
            if len(answers) == 2:
                table.setdefault(category, []).append(all(answers))
        return {c: {"q_acc": sum(v) / len(v), "n_right": sum(v), "n": len(v)} for c, v in table.items()}


class Choice(Task):
    """Multiple choice, directly and in every rotation of the options."""

    form: Form = "choice"
    can_rotate = True
    primary = "accuracy"

    def __init__(self, name: str, levels: tuple[str, ...]) -> None:
        self.name = name
        self.config = name
        self.subsets = levels
        self.headline = ("accuracy", "circular_accuracy")
        if len(levels) > 1:
            self.headline = tuple(f"{m}_{level}" for level in levels for m in ("accuracy", "circular_accuracy"))

    def samples(self, load: Loader, options: Options) -> Iterator[Sample]:
        """Direct questions, then their rotations: the published ones unless the options are shuffled."""
        for row in _rows(load(self.config), options):
            yield self._sample(shuffled(row, options), options)
        if not options.circular:
            return
        if options.shuffle:
            for row in _rows(load(self.config), options):
                for turned in rotations(shuffled(row, options)):
                    yield self._sample(turned, options)
            return
        wanted = {row["id"] for row in _rows(load(self.config), options)} if options.limit else None
        for row in _rows(load(self.config, circular=True), options, limited=False):
            if wanted is None or row["group"] in wanted:
                yield self._sample(row, options)

    def _sample(self, row: Row, options: Options) -> Sample:
        return choice_sample(row, self.name, options, _fields(row), cluster=str(row["pair"]))

    def request(self, sample: Sample, options: Options, texts: Mapping[str, str] = NOTHING) -> Request:
        """The published question with its lettered options."""
        prompt = options.prompts.render(
            "mvp_bench/choice",
            question=sample.fields["question"],
            options=sample.options,
            instruction=sample.fields["instruction"],
        )
        return Request(sample, prompt, sample.pictures, options.system, choice_continuations(sample, options))

    def prompt_names(self, options: Options) -> Sequence[str]:
        """One template."""
        return ("mvp_bench/choice",)

    def paper_parser(self, sample: Sample) -> str:
        """The direct and the circular questions were read in different ways."""
        return "mvp_direct" if sample.unit.rotation is None else "mvp_circular"

    def score(self, pairs: Iterable[tuple[Sample, Prediction]], options: Options) -> Counted:
        """Accuracy on direct questions, circular accuracy on rotations, and both by level (Table 1)."""
        parts: dict[tuple[str, str], Answered] = {}
        clusters: dict[str, str] = {}
        counts = (0, 0)
        n = 0
        meter = Meter()
        for sample, prediction in pairs:
            part = "direct" if sample.unit.rotation is None else "circular"
            level = str(sample.fields["level"])
            clusters[sample.unit.id] = sample.cluster
            for key in dict.fromkeys((("", part), (level if len(self.subsets) > 1 else "", part))):
                parts.setdefault(key, Answered()).add(sample, prediction)
            n += 1
            unparsed, failed = tally(prediction)
            counts = (counts[0] + unparsed, counts[1] + failed)
        metrics: dict[str, float | None] = {}
        breakdowns: dict[str, object] = {}
        for (level, part), answered in parts.items():
            suffix = f"_{level}" if level else ""
            measure = _direct if part == "direct" else _circular
            measure(answered, suffix, clusters, metrics, breakdowns, meter)
        intervals = meter.intervals(options.confidence_level, options.n_resamples, options.seed)
        return Counted(n, *counts, metrics, intervals, breakdowns)


def _direct(
    answered: Answered,
    suffix: str,
    clusters: dict[str, str],
    metrics: dict[str, float | None],
    breakdowns: dict[str, object],
    meter: Meter,
) -> None:
    found = mcq_accuracy(answered.predictions, answered.references, answered.kinds, answered.failed)
    metrics[f"accuracy{suffix}"] = found["accuracy"]
    metrics[f"accuracy{suffix}_answered"] = found["accuracy_answered"]
    breakdowns[f"letters{suffix}"] = answered.letters()
    for identity, p, r in zip(answered.groups, answered.predictions, answered.references, strict=True):
        meter.add(f"accuracy{suffix}", clusters[identity], p == r)


def _circular(
    answered: Answered,
    suffix: str,
    clusters: dict[str, str],
    metrics: dict[str, float | None],
    breakdowns: dict[str, object],
    meter: Meter,
) -> None:
    a = answered
    found = circular_accuracy(a.predictions, a.references, a.groups, a.rotations, a.n_options)
    metrics[f"circular_accuracy{suffix}"] = found["circular_accuracy"]
    right: dict[str, bool] = {}
    read: dict[str, bool] = {}
    for identity, p, r in zip(a.groups, a.predictions, a.references, strict=True):
        right[identity] = right.get(identity, True) and p == r
        read[identity] = read.get(identity, True) and p is not None
    kept = [identity for identity, whole in read.items() if whole]
    metrics[f"circular_accuracy{suffix}_answered"] = sum(right[i] for i in kept) / len(kept) if kept else None
    metrics[f"mean_rotation_accuracy{suffix}"] = found["mean_rotation_accuracy"]
    breakdowns[f"letters_circular{suffix}"] = a.letters()
    for identity, whole in right.items():
        meter.add(f"circular_accuracy{suffix}", clusters[identity], whole)


def _rows(rows: object, options: Options, limited: bool = True) -> Iterator[Row]:
    wanted = (row for row in iterate(rows) if options.subset is None or row["level"] == options.subset)
    yield from islice(wanted, options.limit if limited else None)


_SHOWN = ("image", "options", "option_kinds", "answers", "permutation", "published_prompt")


def _fields(row: Row) -> dict[str, object]:
    return {name: value for name, value in row.items() if name not in _SHOWN}


def address(value: object) -> tuple[str, int | None]:
    """Read an id: `mvp-0320`, `mvp-0320@2`, and as published `320` and `320__320__2`."""
    text = str(value)
    parts = text.split("__")
    if len(parts) == 3 and all(part.isdecimal() for part in parts):
        return f"mvp-{int(parts[0]):04d}", int(parts[2])
    if text.isdecimal():
        return f"mvp-{int(text):04d}", None
    return own_address(text)


BENCHMARK = Benchmark(
    "mvp_bench",
    "MVP-Bench: multi-level visual perception",
    (YesNo(), Choice("mcq_single", ("high",)), Choice("mcq_cross", LEVELS)),
    address,
)
