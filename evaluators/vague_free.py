"""VAGUE without options: say in a sentence what the speaker wants (Appendix D)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from typing import Any

from punctum.evaluators.base import Loader
from punctum.evaluators.counting import Counted, Meter, tally
from punctum.evaluators.options import Options
from punctum.evaluators.rows import Row, iterate, pictures_of, unit_of
from punctum.evaluators.vague_rows import OfUtterance
from punctum.metrics.bert_f1.core import MODEL, bert_f1
from punctum.metrics.bleu_1.core import bleu_1
from punctum.records import Form, Prediction, Sample

MOST_WORDS = 15


class FreeForm(OfUtterance):
    """Write the reading that the speaker means (Figures J18 to J20, J23, J24)."""

    name = "free_form"
    form: Form = "text"
    default = False
    generative = True
    shown = ("utterance", "person")
    headline = ("bleu_1", "bert_f1")
    similarity = MODEL

    def fields(self, row: Row) -> dict[str, Any]:
        """The utterance, whom it addresses, the data's caption, and where the picture is from."""
        return {
            "utterance": row["indirect"],
            "person": row["solution"]["person"],
            "caption": row["caption"],
            "source": row["category"],
        }

    def samples(self, load: Loader, options: Options) -> Iterator[Sample]:
        """One sample a row; the reference is the correct option of the choice task."""
        for row in iterate(self.rows(load, options), options.limit):
            yield Sample(
                unit_of(row, self.name, options),
                self.form,
                tuple(row["references"]),
                cluster=str(row["id"]),
                pictures=pictures_of(row),
                fields=self.fields(row),
            )

    def prompt_names(self, options: Options) -> Sequence[str]:
        """One template a setting."""
        return (f"vague/free{'_cot' if options.cot else ''}_{options.setting}",)

    def check(self, options: Options) -> None:
        """Also refuse to ask what could not be scored afterwards.

        Raises:
            ValueError: as `Task.check`.
        """
        super().check(options)
        missing = [name for name in ("sacrebleu", "torch", "transformers") if find_spec(name) is None]
        if missing:
            raise ValueError(
                f"{self.name} is scored by BLEU-1 and BERTScore, for which {' and '.join(missing)} must be there: "
                'pip install "punctum[metrics]"'
            )
        _find_encoder(options.similarity_model or MODEL)

    def score(self, pairs: Iterable[tuple[Sample, Prediction]], options: Options) -> Counted:
        """BLEU-1 and BERTScore F1 against the correct reading, and how many answers are not as asked for."""
        samples: list[Sample] = []
        texts: list[str | None] = []
        unparsed = failed = 0
        for sample, prediction in pairs:
            samples.append(sample)
            texts.append(None if prediction.error is not None else _text(prediction))
            counts = tally(prediction)
            unparsed += counts[0]
            failed += counts[1]
        if not samples:
            return Counted(0, 0, 0, {})
        gold = [str(sample.gold[0]) for sample in samples]
        bleu = bleu_1(texts, gold)
        bert = bert_f1(texts, gold, options.similarity_model or MODEL)
        found = {**bleu, **bert}
        names = ("bleu_1", "bert_f1", "bert_precision", "bert_recall")
        metrics = {f"{name}{end}": found[f"{name}{end}"] for name in names for end in ("", "_answered")}
        meter = Meter()
        groups: dict[str, list[tuple[float, float]]] = {}
        for sample, *both in zip(samples, bleu["scores"], bert["scores"], strict=True):
            for name, value in zip(("bleu_1", "bert_f1"), both, strict=True):
                meter.add(name, sample.cluster, value)
            groups.setdefault(self.group(sample), []).append((both[0], both[1]))
        breakdowns = {
            "by_group": {name: _means(rows) for name, rows in sorted(groups.items())},
            "not_as_asked": _not_as_asked(samples, texts),
            "n_truncated": bert["n_truncated"],
        }
        intervals = meter.intervals(options.confidence_level, options.n_resamples, options.seed)
        return Counted(len(samples), unparsed, failed, metrics, intervals, breakdowns)


def _text(prediction: Prediction) -> str | None:
    return prediction.parsed if isinstance(prediction.parsed, str) else None


def _means(rows: Sequence[tuple[float, float]]) -> dict[str, float]:
    n = len(rows)
    return {"bleu_1": sum(row[0] for row in rows) / n, "bert_f1": sum(row[1] for row in rows) / n, "n": n}


def _not_as_asked(samples: Sequence[Sample], texts: Sequence[str | None]) -> dict[str, int]:
    """Answers that are longer than asked for, and that begin otherwise; they are scored as they are."""
    longer = sum(text is not None and len(text.split()) > MOST_WORDS for text in texts)
    other = 0
    for sample, text in zip(samples, texts, strict=True):
        opening = f"the speaker wants {sample.fields['person']} to "
        other += text is not None and not text.casefold().startswith(opening.casefold())
    return {f"longer than {MOST_WORDS} words": longer, "another opening": other}


def _find_encoder(name: str) -> None:
    """Refuse an encoder that is not there before anything is asked.

    Raises:
        ValueError: that names the way out.
    """
    from transformers import AutoConfig

    try:
        AutoConfig.from_pretrained(name)
    except (OSError, ValueError) as error:
        first = str(error).partition("\n")[0]
        raise ValueError(
            f"BERTScore's encoder {name!r} cannot be loaded ({first}); --similarity-model names another: a folder, or "
            "a name on the Hub and a connection to it"
        ) from error
