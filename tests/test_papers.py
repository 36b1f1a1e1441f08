"""`docs/papers.md`: every table and figure of the papers has a row, and every command in it works as it stands."""

from __future__ import annotations

import itertools
import json
import re
import shlex
from pathlib import Path

import pytest

from punctum import discovery
from punctum.cli import _parser, main
from punctum.evaluators import benchmark_of, vague_free
from punctum.prompts import Prompts
from punctum.report import published

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
SECTIONS = dict(part.split("\n", 1) for part in TEXT.split("\n## ")[1:])
#: Section → file of published tables, and of the paper among the shared files.
PAPERS = {
    "Persuasive atypical ads": ("pitt_ads", "persuasive_atypical_ads"),
    "MVP-Bench": ("mvp_bench", "mvp_bench"),
    "VAGUE": ("vague", "vague_korean"),
    "DeepEval": ("deepeval", "deepeval"),
}
NUMBER = r"[A-Z]?\d+"


def rows(section: str) -> list[list[str]]:
    """The cells of a section's tables."""
    lines = [line for line in SECTIONS[section].splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return [row for row in cells if row[0] not in ("where", "listing")]


def named_by(first: str) -> set[str]:
    """What a row's first cell names: "Table 3", "Figure J8", each by itself."""
    kind = next((k for k in ("Table", "Figure", "Appendix") if first.startswith(k)), "Listing")
    numbers = re.findall(NUMBER, first) or [first.removeprefix("Appendix ")]
    if run := re.search(rf"({NUMBER}) to ({NUMBER})", first):
        letter = run[1].rstrip("0123456789")
        start, end = (int(number.removeprefix(letter)) for number in run.groups())
        numbers = [f"{letter}{number}" for number in range(start, end + 1)]
    return {f"{kind} {number}" for number in numbers}


def named(section: str) -> set[str]:
    """What the rows of a section name."""
    return set().union(*(named_by(row[0]) for row in rows(section)))


def commands() -> list[str]:
    """All commands, with each word that a row lists for a capital letter put in that letter's place."""
    found: dict[str, None] = {}
    for section in SECTIONS:
        for row in rows(section):
            for template, values in _templates(" | ".join(row)):
                for chosen in itertools.product(*values.values()):
                    found[_filled(template, dict(zip(values, chosen, strict=True)))] = None
    return list(found)


def _filled(template: str, words: dict[str, str]) -> str:
    if not words:
        return template
    return re.sub(rf"(?<![\w+-])({'|'.join(words)})(?![\w+-])", lambda match: words[match[1]], template)


def _templates(row: str) -> list[tuple[str, dict[str, list[str]]]]:
    lists = {m[1]: re.findall(r"`([^`]+)`", m[2]) for m in re.finditer(r"`([A-Z])`: ((?:`[^`]+`(?:, )?)+)", row)}
    templates = re.findall(r"`(punctum [^`]+)`", row)
    used = [{x: v for x, v in lists.items() if re.search(rf"(?<![\w+-]){x}(?![\w+-])", t)} for t in templates]
    return list(zip(templates, used, strict=True))


COMMANDS = commands()
RUNS = sorted({re.sub(r" --(dry-run|limit 1|out RUN)", "", command) for command in COMMANDS if " run " in command})


def test_every_published_table_has_a_row() -> None:
    missing = []
    for section, (name, _) in PAPERS.items():
        paper = published.load(name)
        wanted = [t.number if " " in t.number else f"Table {t.number}" for t in paper.tables if t.number != "outputs"]
        wanted += [what for gap in paper.absent for what in ([gap.what] if gap.what != "Tables 8 and 9" else [])]
        missing += [f"{section}: {what}" for what in wanted if what not in named(section)]
    assert not missing


def test_every_table_and_figure_that_is_known_of_has_a_row() -> None:
    def counted(kind: str, last: int, letter: str = "", first: int = 1) -> set[str]:
        return {f"{kind} {letter}{number}" for number in range(first, last + 1)}

    ads = counted("Table", 14) | counted("Figure", 10) | counted("Listing", 18)
    vague = counted("Table", 3) | counted("Table", 2, "B") | counted("Table", 6, "J", 5) | {"Table F3", "Table G4"}
    vague |= counted("Figure", 4) | counted("Figure", 2, "B") | counted("Figure", 25, "J", 3)
    deepeval = counted("Table", 9) | counted("Figure", 9) | {"Appendix A", "Appendix B"}
    mvp = counted("Table", 3) | counted("Figure", 4, first=2) | {"Appendix 4"}
    assert named("Persuasive atypical ads") == ads
    assert named("VAGUE") == vague
    assert named("DeepEval") == deepeval
    assert named("MVP-Bench") == mvp


@pytest.mark.shared
@pytest.mark.parametrize("section", PAPERS)
def test_what_the_papers_name_has_a_row(section: str, shared: Path) -> None:
    text = (shared / "seeds" / f"{PAPERS[section][1]}.txt").read_text(encoding="utf-8")
    said = re.findall(rf"\b(Tab(?:le)?s?|Fig(?:ure)?s?|Listings?)\b\.?\s+({NUMBER})\b", text)
    kinds = {"T": "Table", "F": "Figure", "L": "Listing"}
    wanted = {f"{kinds[kind[0]]} {number}" for kind, number in said}
    assert len(wanted) > 4
    assert not wanted - named(section)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_can_be_read(command: str) -> None:
    words = shlex.split(command)[1:]
    args = _parser().parse_args(words)
    assert not re.search(r"`|\|", command)
    if args.command in ("run", "quiz", "score"):
        name, _, task = args.benchmark.partition("/")
        tasks = [found for found in benchmark_of(name).tasks if task in ("", found.name)]
        assert tasks
        assert args.subset is None or any(args.subset in found.subsets for found in tasks)


@pytest.mark.parametrize("command", RUNS)
def test_every_run_can_be_planned(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A dry run on the sample, of one question."""
    monkeypatch.setattr(vague_free, "_find_encoder", lambda name: None)
    words = shlex.split(command.replace("--data-dir D", "--sample"))[1:]
    words = ["openai:m@http://127.0.0.1:9/v1" if word == "M" else word for word in words]
    plan = tmp_path / "plan.json"
    words += ["--dry-run", "--limit", "1", "--store", str(tmp_path / "store"), "--json", str(plan), "--quiet"]
    assert main(words) == 0, capsys.readouterr().err
    tasks = json.loads(plan.read_text(encoding="utf-8"))["tasks"].values()
    assert tasks
    assert all(task["questions"] > 0 and not task["failed"] for task in tasks)


def test_templates_that_are_named_come_from_there() -> None:
    """A template's own words on its source name one of the listings, figures or appendices of its row."""
    prompts = Prompts()
    tasks = {f"{name}/{task.name}" for name in discovery.benchmarks() for task in benchmark_of(name).tasks}
    checked = 0
    for section in SECTIONS:
        for row in rows(section):
            for name in re.findall(r"`((?:construct/)?\w+/\w+)`", " ".join(row)):
                if name not in prompts.names():
                    assert name in tasks, name
                    continue
                source = prompts.source(name)
                assert any(re.search(rf"{what}\b", source) for what in named_by(row[0])), (name, source)
                checked += 1
    assert checked > 30
