"""Statistics as tables: one description of the tables, printed by rich or written as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape

from punctum.sheets import Sheet, print_sheet
from punctum.sheets import markdown as as_markdown

_NAMED = 10


def sheets(value: Mapping[str, Any]) -> Iterator[Sheet]:
    """The tables of what `statistics` gave; those without rows are left out."""
    parts: list[Mapping[str, Any]] = value["parts"]
    yield _overview(parts)
    makers = (_letters, _lengths, _ranks, _blind, _yes_no, _values, _labels, _texts, _lists, _verbs)
    for sheet in (make(parts) for make in makers):
        if sheet.rows:
            yield sheet


def name_of(part: Mapping[str, Any]) -> str:
    """A part's name in tables: config, variant and split as far as they say something."""
    name = str(part["config"])
    if part["variant"]:
        name += f" ({part['variant']})"
    return name if part["split"] == "test" else f"{name} {part['split']}"


def faults(value: Mapping[str, Any]) -> list[str]:
    """A sentence a kind of fault or of rows left out, and a config that could not be read."""
    found: dict[tuple[str, str], str] = {}  # a config's other forms mostly have the same
    for part in value["parts"]:
        for prefix, kinds in (("", part["faults"]), ("left out: ", part["left_out"])):
            for kind, places in kinds.items():
                more = f" and {len(places) - _NAMED:,} more" if len(places) > _NAMED else ""
                sentence = f"{prefix}{kind}: {len(places):,} ({', '.join(places[:_NAMED])}{more})"
                place = part["config"] + (f" ({part['variant']})" if part["variant"] else "")
                found.setdefault((part["config"], sentence), f"{place}: {sentence}")
    return [*found.values(), *(f"{name} is not at hand: {reason}" for name, reason in value["not_at_hand"].items())]


def print_statistics(console: Console, title: str, value: Mapping[str, Any]) -> None:
    """Print all tables, then the faults."""
    revision = value["revision"]
    state = f"published revision {revision[:12]}" if revision else "not known to be a published revision"
    console.print(f"[bold]{escape(title)}[/bold] · {state}", highlight=False)
    for sheet in sheets(value):
        print_sheet(console, sheet)
    for line in faults(value):
        console.print(escape(line), highlight=False)


def markdown(value: Mapping[str, Any]) -> str:
    """The tables, for a dataset card."""
    return "\n".join(as_markdown(sheet) for sheet in sheets(value))


def _overview(parts: Sequence[Mapping[str, Any]]) -> Sheet:
    rows = []
    for part in parts:
        choice = part.get("choice", {})
        kinds = ", ".join(f"{kind} {n:,}" for kind, n in choice.get("option_kinds", {}).items())
        numbers = ", ".join(choice.get("options_per_row", {}))
        cells = [part["rows"], part["rows_with_picture"], part["pictures"]]
        rows.append([name_of(part), *(f"{n:,}" for n in cells), numbers or "–", kinds or "–"])
    return Sheet("Rows", ["config", "rows", "with picture", "pictures", "options", "option kinds"], rows)


def _letters(parts: Sequence[Mapping[str, Any]]) -> Sheet:
    having = [part for part in parts if part.get("choice", {}).get("answer_letters")]
    names = list(dict.fromkeys(name for part in having for name in part["choice"]["answer_letters"]))
    names.sort(key=lambda name: (len(name), name))
    rows = [
        [name_of(part), *(f"{part['choice']['answer_letters'].get(name, 0):,}" for name in names)] for part in having
    ]
    return Sheet("Right options by letter", ["config", *names], rows)


def _lengths(parts: Sequence[Mapping[str, Any]]) -> Sheet:
    rows = []
    for part in parts:
        choice = part.get("choice")
        if not choice or not choice["answer_letters"]:
            continue
        cells = [f"{choice[side]['words_mean'] or 0:.2f}" for side in ("right_options", "wrong_options")]
        counts = ("right_is_shortest", "right_is_longest", "rows_with_stray_blanks", "rows_where_a_leading_blank_tells")
        rows.append([name_of(part), *cells, *(f"{choice[name]:,}" for name in counts)])
    columns = ["config", "words right", "words wrong", "right is shortest", "right is longest"]
    return Sheet("Options' lengths and blanks", [*columns, "stray blanks", "a leading blank tells"], rows)


def _ranks(parts: Sequence[Mapping[str, Any]]) -> Sheet:
    having = [part for part in parts if part.get("choice", {}).get("shorter_than_right") and not part["variant"]]
    most = max((int(n) for part in having for n in part["choice"]["shorter_than_right"]), default=0)
    rows = [
        [name_of(part), *(f"{part['choice']['shorter_than_right'].get(str(n), 0):,}" for n in range(most + 1))]
        for part in having
    ]
    return Sheet("How many options are shorter than the right one", ["config", *map(str, range(most + 1))], rows)


def _blind(parts: Sequence[Mapping[str, Any]]) -> Sheet:
    having = [part for part in parts if part.get("choice", {}).get("answer_letters")]
    if not having:
        return Sheet("", [], [])
    names = list(having[0]["choice"]["blind"])
    rows = []
    for name in ["chance", *names]:
        values = [part["choice"]["chance"] if name == "chance" else part["choice"]["blind"][name] for part in having]
        rows.append([name, *(f"{100 * value:.2f}" for value in values)])
    return Sheet("Accuracy without looking, ×100", ["choose", *map(name_of, having)], rows)


def _yes_no(parts: Sequence[Mapping[str, Any]]) -> Sheet:
    rows = [
        [f"{name_of(part)}: {name}", f"{counts['rows']:,}", f"{counts['yes']:,}", _share(counts["yes"], counts["rows"])]
        for part in parts
        for name, counts in part.get("yes_no", {}).get("parts", {}).items()
    ]
    return Sheet("Yes and no", ["questions", "rows", "yes", "always yes, ×100"], rows)


def _values(parts: Sequence[Mapping[str, Any]]) -> Sheet:
    having: dict[tuple[str, str], list[str]] = {}
    for part in parts:
        for column, counts in part["values"].items():
            if len(counts) > 1 and not part["variant"]:
                total = ", ".join(f"{value} {n:,}" for value, n in counts.items())
                having.setdefault((column, total), []).append(name_of(part))
    rows = [[column, total, ", ".join(names)] for (column, total), names in having.items()]
    return Sheet("Values", ["column", "rows by value", "config"], rows)


def _labels(parts: Sequence[Mapping[str, Any]]) -> Sheet:
    having: dict[tuple[str, ...], list[str]] = {}
    asked = [part for part in parts if "choice" not in part and "references" not in part["lists"]]
    for part in asked:  # elsewhere the labels only accompany the rows
        for label, n in part.get("labels", {}).get("counts", {}).items():
            having.setdefault((label, f"{n:,}", _share(n, part["rows"])), []).append(name_of(part))
    rows = [[*cells, ", ".join(names)] for cells, names in sorted(having.items())]
    return Sheet("Labels", ["label", "rows", "×100", "config"], rows)


def _texts(parts: Sequence[Mapping[str, Any]]) -> Sheet:
    """Texts that several configs have in common (DeepEval's annotations) stand there once."""
    having: dict[tuple[str, ...], list[str]] = {}
    for part in parts:
        for column, found in part["texts"].items():
            if not part["variant"]:
                counts = (f"{found['texts']:,}", f"{found['words']:,}")
                mean, least = f"{found['words_mean']:.2f}", f"{found['characters_min']:,}"
                having.setdefault((column, *counts, mean, least), []).append(name_of(part))
    rows = [[column, *cells, ", ".join(names)] for (column, *cells), names in having.items()]
    return Sheet("Words, by blanks", ["column", "texts", "words", "mean", "fewest characters", "config"], rows)


def _lists(parts: Sequence[Mapping[str, Any]]) -> Sheet:
    rows = [
        [name_of(part), name, f"{found['total']:,}", f"{found['mean']:.2f}", str(found["min"]), str(found["max"])]
        for part in parts
        for name, found in part["lists"].items()
        if not part["variant"]
    ]
    return Sheet("Objects, people and other lists", ["config", "what", "total", "mean a row", "least", "most"], rows)


def _verbs(parts: Sequence[Mapping[str, Any]]) -> Sheet:
    rows = [
        [name_of(part), ", ".join(f"{verb} {n:,}" for verb, n in part["verbs"].items())]
        for part in parts
        if part.get("verbs")
    ]
    return Sheet("Most frequent verbs of the solutions", ["config", "verbs"], rows)


def _share(n: int, of: int) -> str:
    return f"{100 * n / of:.2f}" if of else "–"
