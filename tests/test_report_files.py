"""What `punctum report --out` writes: tables, figures with words for them, the same bytes each time, nothing stale."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from punctum.cli import main
from punctum.report.figures import plots
from punctum.report.figures.letters import shares
from punctum.report.runs import Run, load_runs
from punctum.report.writing import MANIFEST

pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A baseline on every benchmark's sample, and a second one on MVP-Bench."""
    out = tmp_path_factory.mktemp("runs")
    found = []
    for task, model in (
        ("deepeval", "random"), ("mvp_bench", "random"), ("mvp_bench", "first"), ("vague", "random"),
        ("whoops", "random"), ("pitt_ads/asr", "random"), ("pitt_ads/arr", "random"),
    ):  # fmt: skip
        found.append(str(out / f"{task.replace('/', '-')}-{model}"))
        more = ["--circular"] if task == "mvp_bench" else []
        command = ["run", task, "--model", f"baseline:{model}", "--sample", "--quiet", "--no-pictures", *more]
        assert main([*command, "--resamples", "50", "--out", found[-1]]) == 0
    return found


def digests(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ({"tables", "figures"} & set(path.parts) or path.name == "report.md")
    }


@pytest.fixture(scope="module")
def report(runs: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("report") / "out"
    assert main(["report", *runs, "--compare", "paper", "--out", str(out), "--quiet"]) == 0
    return out


def test_every_figure_is_there_in_both_forms(report: Path) -> None:
    names = {path.stem for path in (report / "figures").iterdir()}
    wanted = {
        "deepeval-categories", "prompts-deepeval", "mvp-levels", "failures-vague-mcq", "errors-pitt_ads-arr",
        "errors-pitt_ads-asr", "errors-whoops-explanation", "letters-mvp_bench-mcq_cross",
        "letters-mvp_bench-mcq_single", "scores-mvp_bench-yes_no", "scores-vague-mcq",
    }  # fmt: skip
    assert wanted <= names
    for name in names:
        with Image.open(report / "figures" / f"{name}.png") as image:
            assert 400 < image.width < 2000
            assert len(image.convert("RGB").getcolors(maxcolors=1 << 20) or ()) > 10  # something is drawn
        root = ElementTree.parse(report / "figures" / f"{name}.svg").getroot()
        assert root.tag.endswith("svg")
        text = (report / "figures" / f"{name}.svg").read_text()
        assert not re.search(r"<dc:date>|20\d\d-\d\d-\d\d", text)


def test_the_page_shows_every_table_and_figure_with_words(report: Path) -> None:
    page = (report / "report.md").read_text(encoding="utf-8")
    alts = dict(re.findall(r"!\[([^\]]+)\]\(figures/([^)]+)\.svg\)", page))
    assert set(alts.values()) == {path.stem for path in (report / "figures").glob("*.svg")}
    assert all(len(alt) > 60 and alt.endswith(".") for alt in alts)
    assert "DeepEval, Table 3" in page
    for path in (report / "tables").glob("*.md"):
        assert path.read_text(encoding="utf-8").splitlines()[0] in page
    stems = {suffix: {p.stem for p in (report / "tables").glob(f"*{suffix}")} for suffix in (".md", ".tex", ".csv")}
    assert stems[".md"] == stems[".tex"] == stems[".csv"]
    assert len(stems[".md"]) > 15


def test_equal_runs_give_equal_bytes(report: Path, runs: list[str], tmp_path: Path) -> None:
    again = tmp_path / "again"
    assert main(["report", *runs, "--compare", "paper", "--out", str(again), "--quiet"]) == 0
    assert digests(again) == digests(report)
    listed = json.loads((report / MANIFEST).read_text())["files"]
    assert {*listed, MANIFEST} >= set(digests(report))


def test_a_smaller_report_leaves_nothing_of_a_larger_one(runs: list[str], tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(["report", runs[0], runs[3], "--out", str(out), "--quiet", "--no-figures"]) == 0
    assert (out / "tables" / "scores-vague-mcq.csv").is_file()
    assert main(["report", runs[0], "--out", str(out), "--quiet", "--no-figures"]) == 0
    assert not (out / "tables" / "scores-vague-mcq.csv").exists()
    assert not (out / "figures").exists()


def test_other_folders_are_not_written_into(
    runs: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The site clears its folders `data/`, `pictures/` and `figures/`: never those of somebody else."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "precious.csv").write_text("1")
    for folder in (str(tmp_path), runs[0]):
        assert main(["report", runs[0], "--out", folder, "--quiet", "--no-figures"]) == 2
        assert "holds other files; give --out a new or empty folder" in capsys.readouterr().err
    assert (tmp_path / "data" / "precious.csv").is_file()


def test_the_site_stands_in_the_same_folder(report: Path) -> None:
    assert (report / "index.html").is_file()
    site = (report / "data" / "site.js").read_text(encoding="utf-8")
    for path in (report / "figures").glob("*.svg"):
        assert f"figures/{path.name}" in site


def test_figures_are_drawn_only_where_their_data_are(runs: list[str]) -> None:
    names = [plot.name for plot in plots([Run.load(runs[3])])]
    assert names == ["failures-vague-mcq", "letters-vague-mcq", "scores-vague-mcq"]


def test_without_matplotlib_nothing_is_written(
    runs: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    out = tmp_path / "out"
    assert main(["report", runs[3], "--out", str(out), "--quiet"]) == 2
    assert 'pip install "punctum[report]"; --no-figures' in capsys.readouterr().err
    assert not out.exists()
    assert main(["report", runs[3], "--out", str(out), "--quiet", "--no-figures"]) == 0


def test_names_are_drawn_as_they_are(runs: list[str], tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    """No formula in $…$, no markup; a script that the font lacks gives boxes, and no warning a glyph."""
    name = "$x^2$ 模型 <b> | [a](b) & 100 %"
    predictions = str(Path(runs[3]) / "predictions.jsonl")
    command = ["score", "vague", "--sample", "--predictions", predictions, "--name", name, "--quiet", "--no-pictures"]
    assert main([*command, "--out", str(tmp_path / "run")]) == 0
    assert main(["report", str(tmp_path / "run"), "--out", str(tmp_path / "out"), "--quiet"]) == 0
    assert not [warning for warning in recwarn if "Glyph" in str(warning.message)]
    page = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert r"\$x^2\$ 模型 \<b> \| \[a\](b) &amp; 100 %" in page
    assert name not in page
    for path in (tmp_path / "out" / "figures").glob("*.svg"):
        ElementTree.parse(path)


def test_a_radar_chart_stays_readable(runs: list[str], tmp_path: Path) -> None:
    folders = [runs[0]]
    for seed in range(1, 8):
        folders.append(str(tmp_path / str(seed)))
        command = ["run", "deepeval/title", "--model", "baseline:random", "--seed", str(seed), "--sample", "--quiet"]
        assert main([*command, "--no-pictures", "--resamples", "0", "--out", folders[-1]]) == 0
    [plot] = [plot for plot in plots(load_runs(folders)) if plot.name == "deepeval-categories"]
    assert plot.title == "DeepEval: accuracy by category, the 6 best of 8 runs"


def test_a_model_that_nothing_was_read_of_has_no_letters(tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    lines = [{"id": f"mvp-{n:04d}", "output": "well"} for n in range(2000)]
    answers.write_text("".join(json.dumps(line) + "\n" for line in lines))
    command = [
        "score",
        "mvp_bench/mcq_single",
        "--sample",
        "--predictions",
        str(answers),
        "--ignore-unknown",
        "--quiet",
    ]
    assert main([*command, "--no-pictures", "--out", str(tmp_path / "run")]) == 0
    names = [plot.name for plot in plots([Run.load(tmp_path / "run")])]
    assert names == ["scores-mvp_bench-mcq_single"]


def test_letter_bias_comes_from_the_rotations(runs: list[str]) -> None:
    """Over all rotations each letter is right equally often; who always says A is seen at once."""
    first = Run.load(runs[2]).tasks["mcq_single"]
    found = shares(first, "letters_circular")
    assert {letter: chosen for letter, (chosen, _) in found.items()} == {"A": 100, "B": 0, "C": 0, "D": 0, "E": 0}
    assert all(abs(right - 20) < 1 for _, right in found.values())
    [plot] = [p for p in plots(load_runs(runs[1:3])) if p.name == "letters-mvp_bench-mcq_single"]
    assert "baseline:first chooses A most above its share: 100.0 percent, right in 20" in plot.alt


def test_runs_that_are_not_comparable_wear_a_star(runs: list[str], tmp_path: Path) -> None:
    short = tmp_path / "short"
    command = ["run", "vague", "--model", "baseline:longest", "--sample", "--limit", "5", "--quiet", "--no-pictures"]
    assert main([*command, "--out", str(short)]) == 0
    alts = {plot.name: plot.alt for plot in plots(load_runs([runs[3], short]))}
    assert "baseline:longest *: " in alts["failures-vague-mcq"]
    assert "2 sets that are not comparable" in alts["scores-vague-mcq"]
