"""What every metric must do, whichever it is: found by folder, so that a new one is covered as it comes.

`cases.json` of a metric holds:
    rows: the inputs with one entry a row, as far as a case gives them;
    ranges: patterns of result keys to [lowest, highest], null where there is no bound;
    rename: groups of inputs whose values may be renamed together, the results that this changes, and inputs
        to leave out for it;
    indices, numbers, words, labels, texts, verdicts, categories: the inputs whose entries are option indices,
        finite numbers, words of a list, lists of labels, texts, a judge's verdicts, or raters' categories;
    needs: packages without which its good cases are skipped;
    weights: true for a metric that runs the real all-mpnet-base-v2, with tolerance for its numbers;
    by_row: the results that are lists with one entry a row;
    cases: name, inputs, and either expected results or the error's words.
"""

from __future__ import annotations

import ast
import doctest
import importlib
import json
import math
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "metrics"
METRICS = sorted(path.parent.name for path in FOLDER.glob("*/README.md"))
SPECS: dict[str, dict[str, Any]] = {
    name: json.loads((FOLDER / name / "cases.json").read_text(encoding="utf-8")) for name in METRICS
}
MPNET = "sentence-transformers/all-mpnet-base-v2"
GOOD = [(name, case) for name in METRICS for case in SPECS[name]["cases"] if "expected" in case]
BAD = [(name, case) for name in METRICS for case in SPECS[name]["cases"] if "error" in case]
CARD = ["Definition", "Formula", "Inputs", "Output and range", "Source", "Example", "Limits"]


def marked(name: str, *values: Any, case: str = "") -> Any:
    """A parameter set, marked where the metric needs real weights, skipped where a package is missing."""
    missing = [package for package in SPECS[name].get("needs", []) if find_spec(package) is None]
    marks: list[pytest.MarkDecorator] = [pytest.mark.weights] if SPECS[name].get("weights") else []
    if missing:
        marks.append(pytest.mark.skip(reason=f"{name} needs {', '.join(missing)}"))
    return pytest.param(name, *values, marks=marks, id=f"{name}: {case}" if case else name)


every_metric = pytest.mark.parametrize("name", METRICS)
every_metric_that_runs = pytest.mark.parametrize("name", [marked(name) for name in METRICS])
good_cases = pytest.mark.parametrize(("name", "case"), [marked(name, case, case=case["name"]) for name, case in GOOD])
# Spoilt on purpose by the test: the error comes before any model is loaded, so no weights are needed.
spoilt_cases = pytest.mark.parametrize(("name", "case"), GOOD, ids=[f"{n}: {c['name']}" for n, c in GOOD])
bad_cases = pytest.mark.parametrize(("name", "case"), BAD, ids=[f"{n}: {c['name']}" for n, c in BAD])


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with links to all metrics: evaluate finds a bare name in the working directory first."""
    folder = tmp_path_factory.mktemp("desk")
    for name in METRICS:
        (folder / name).symlink_to(FOLDER / name)
    (folder / MPNET).parent.mkdir()
    return folder


@pytest.fixture(autouse=True)
def _at_the_desk(request: pytest.FixtureRequest, desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bare metric names and, where a test is marked for it, the model's own name lead to what is here."""
    if request.node.get_closest_marker("weights") and not (desk / MPNET).exists():
        (desk / MPNET).symlink_to(request.getfixturevalue("mpnet"))
    monkeypatch.chdir(desk)


def core(name: str) -> Callable[..., dict[str, Any]]:
    function: Callable[..., dict[str, Any]] = getattr(importlib.import_module(f"punctum.metrics.{name}.core"), name)
    return function


def assert_close(name: str, actual: Any, expected: Any) -> None:
    compare(actual, expected, SPECS[name].get("tolerance", 1e-12), "result")


def compare(actual: Any, expected: Any, tolerance: float, where: str) -> None:
    if isinstance(expected, dict):
        assert isinstance(actual, dict) and set(actual) == set(expected), f"{where}: {actual} != {expected}"
        for key, value in expected.items():
            compare(actual[key], value, tolerance, f"{where}[{key!r}]")
    elif isinstance(expected, list):
        assert len(actual) == len(expected), where
        for place, value in enumerate(expected):
            compare(actual[place], value, tolerance, f"{where}[{place}]")
    elif isinstance(expected, float):
        assert isinstance(actual, float), f"{where}: {actual!r} is {type(actual)}"
        assert actual == pytest.approx(expected, abs=tolerance, rel=0), where
    else:
        assert actual == expected and type(actual) is type(expected), f"{where}: {actual!r} != {expected!r}"


def row_inputs(name: str, inputs: dict[str, Any]) -> list[str]:
    """The inputs of this case that have one entry a row (a number for all rows is none)."""
    return [key for key in SPECS[name]["rows"] if isinstance(inputs.get(key), list)]


@pytest.fixture(scope="module")
def load(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Any]]:
    """`evaluate.load` with caches of its own."""
    evaluate = pytest.importorskip("evaluate")
    caches = tmp_path_factory.mktemp("evaluate")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evaluate.config, "HF_MODULES_CACHE", str(caches / "modules"))
        patch.setattr(evaluate.config, "HF_METRICS_CACHE", str(caches / "metrics"))
        patch.setattr(sys, "path", [*sys.path])
        loaded: dict[str, Any] = {}

        def by_name(name: str) -> Any:
            if name not in loaded:
                loaded[name] = evaluate.load(str(FOLDER / name))
            return loaded[name]

        yield by_name
    for module in [module for module in sys.modules if module.split(".")[0] == "evaluate_modules"]:
        del sys.modules[module]


def test_there_are_metrics() -> None:
    folders = sorted(path.name for path in FOLDER.iterdir() if path.is_dir() and path.name != "__pycache__")
    assert folders == METRICS, "each metric folder has a README.md"
    assert "mcq_accuracy" in METRICS


@good_cases
def test_golden(name: str, case: dict[str, Any]) -> None:
    assert_close(name, core(name)(**case["inputs"]), case["expected"])


@bad_cases
def test_clear_error(name: str, case: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=re.escape(case["error"])):
        core(name)(**case["inputs"])


@good_cases
def test_inputs_are_left_alone(name: str, case: dict[str, Any]) -> None:
    before = json.dumps(case["inputs"])
    core(name)(**case["inputs"])
    assert json.dumps(case["inputs"]) == before


@good_cases
def test_order_of_rows_does_not_matter(name: str, case: dict[str, Any]) -> None:
    inputs = case["inputs"]
    rows = row_inputs(name, inputs)
    if not rows:
        pytest.skip("this case has no rows")
    order = list(range(len(inputs[rows[0]])))
    for seed in range(3):
        random.Random(seed).shuffle(order)
        moved = {key: [inputs[key][i] for i in order] for key in rows}
        expected = dict(case["expected"])
        for key in SPECS[name].get("by_row", []):
            expected[key] = [expected[key][i] for i in order]
        assert_close(name, core(name)(**{**inputs, **moved}), expected)


def renamed(value: Any) -> Any:
    if isinstance(value, list):
        return [renamed(entry) for entry in value]
    if isinstance(value, bool) or value is None:
        return value
    return 2 * value + 3 if isinstance(value, int) else f"<{value}>"


@pytest.mark.parametrize(
    ("name", "rename", "case"),
    [
        marked(name, rename, case, case=f"{'+'.join(rename['inputs'])}: {case['name']}")
        for name, case in GOOD
        for rename in SPECS[name].get("rename", [])
        if set(rename["inputs"]) <= set(case["inputs"])
    ],
)
def test_renaming_changes_nothing(name: str, rename: dict[str, Any], case: dict[str, Any]) -> None:
    """Which number an option has, or which name a group, does not matter."""
    inputs = {
        key: renamed(value) if key in rename["inputs"] else value
        for key, value in case["inputs"].items()
        if key not in rename.get("drop", [])
    }
    changed = rename.get("changes", [])

    def kept(result: dict[str, Any]) -> dict[str, Any]:
        return {key: value for key, value in result.items() if key not in changed}

    assert_close(name, kept(core(name)(**inputs)), kept(case["expected"]))


@good_cases
def test_results_are_in_range(name: str, case: dict[str, Any]) -> None:
    def check(key: str, value: Any, bounds: list[float | None]) -> None:
        if isinstance(value, dict):
            for entry in value.values():
                check(key, entry, bounds)
        elif isinstance(value, list):
            for entry in value:
                check(key, entry, bounds)
        elif value is not None and not isinstance(value, str):
            low, high = bounds
            assert math.isfinite(value), f"{key} is {value}"
            assert (low is None or value >= low) and (high is None or value <= high), f"{key} is {value}"

    ranges: dict[str, list[float | None]] = SPECS[name]["ranges"]
    for key, value in core(name)(**case["inputs"]).items():
        bounds = next((bounds for pattern, bounds in ranges.items() if fnmatch(key, pattern)), None)
        assert bounds is not None, f"cases.json gives no range for {key}"
        check(key, value, bounds)


@spoilt_cases
def test_empty_input_is_an_error(name: str, case: dict[str, Any]) -> None:
    rows = row_inputs(name, case["inputs"])
    if not rows:
        pytest.skip("this case has no rows")
    with pytest.raises(ValueError, match="empty"):
        core(name)(**{key: [] if key in rows else value for key, value in case["inputs"].items()})


@spoilt_cases
def test_different_lengths_are_an_error(name: str, case: dict[str, Any]) -> None:
    rows = row_inputs(name, case["inputs"])
    if len(rows) < 2:
        pytest.skip("only one input has rows")
    for key in rows:
        longer = {**case["inputs"], key: case["inputs"][key] + case["inputs"][key][-1:]}
        with pytest.raises(ValueError, match="differ in length"):
            core(name)(**longer)


@spoilt_cases
def test_what_is_no_value_is_an_error(name: str, case: dict[str, Any]) -> None:
    """NaN, text for a number, a number for text, an unknown word: never cast, never dropped."""
    spec = SPECS[name]
    wrong: dict[str, list[Any]] = {
        "indices": [math.nan, 1.5, "3", True, -1],
        "numbers": [math.nan, math.inf, "3", None],
        "words": ["no such word", 3, math.nan],
        "labels": [[3], [["NA"]], "NA", 3, math.nan],
        "texts": [3, math.nan, ["a text"]],
        "verdicts": ["maybe", 0.5, 2, math.nan],
        "categories": [math.nan, 1.5, None, True],
    }
    if "labels" in case["inputs"]:
        wrong["labels"].append(["no such label"])
    for kind, values in wrong.items():
        for key in spec.get(kind, []):
            for value in values if isinstance(case["inputs"].get(key), list) else []:
                with pytest.raises(ValueError, match=f"{key}, row"):
                    core(name)(**{**case["inputs"], key: [*case["inputs"][key][:-1], value]})


@good_cases
def test_evaluate_gives_the_same(name: str, case: dict[str, Any], load: Callable[[str], Any]) -> None:
    assert_close(name, load(name).compute(**case["inputs"]), case["expected"])


@good_cases
def test_evaluate_in_batches(name: str, case: dict[str, Any], load: Callable[[str], Any]) -> None:
    metric = load(name)
    features = metric._feature_names()
    if not all(isinstance(case["inputs"].get(key), list) for key in features):
        pytest.skip("this case is not given by rows")
    n = len(case["inputs"][features[0]])
    rest = {key: value for key, value in case["inputs"].items() if key not in features}
    for start in range(0, n, 2):
        metric.add_batch(**{key: case["inputs"][key][start : start + 2] for key in features})
    assert_close(name, metric.compute(**rest), case["expected"])
    singular = {"predictions": "prediction", "references": "reference"}
    for row in range(n):
        metric.add(**{singular.get(key, key): case["inputs"][key][row] for key in features})
    assert_close(name, metric.compute(**rest), case["expected"])


@bad_cases
def test_evaluate_gives_the_same_error(name: str, case: dict[str, Any], load: Callable[[str], Any]) -> None:
    with pytest.raises(ValueError, match=re.escape(case["error"])):
        load(name).compute(**case["inputs"])
    if not SPECS[name].get("needs"):
        good = next(case for metric, case in GOOD if metric == name)
        assert_close(name, load(name).compute(**good["inputs"]), good["expected"])


@every_metric
def test_evaluate_casts_nothing(name: str, load: Callable[[str], Any]) -> None:
    """Arrow would make 3 of "3" and of 3.7; the metric must look before that."""
    case = next(case for metric, case in GOOD if metric == name and row_inputs(name, case["inputs"]))
    for kind, value in (("indices", "3"), ("indices", 3.7), ("numbers", "3"), ("numbers", math.nan)):
        for key in set(SPECS[name].get(kind, [])) & set(row_inputs(name, case["inputs"])):
            inputs = {**case["inputs"], key: [*case["inputs"][key][:-1], value]}
            with pytest.raises(ValueError, match=f"{key}, row"):
                load(name).compute(**inputs)


def run_examples(text: str, name: str) -> int:
    parsed = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    said: list[str] = []
    outcome = doctest.DocTestRunner(verbose=False).run(parsed, out=said.append)
    assert outcome.failed == 0, "".join(said)
    return outcome.attempted


@every_metric_that_runs
def test_docstring_example(name: str, load: Callable[[str], Any]) -> None:
    metric = load(name)
    assert run_examples(type(metric).__doc__ or "", name) >= 2
    assert metric.name == name


@every_metric_that_runs
def test_card(name: str, load: Callable[[str], Any]) -> None:
    text = (FOLDER / name / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (.+)$", text, flags=re.MULTILINE) == CARD
    assert f"\n# {name}\n" in text
    assert re.match(r"---\ntitle: .+\nsdk: static\ntags:\n- evaluate\n- metric\n", text)
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    assert blocks
    assert sum(run_examples(block, f"card of {name}") for block in blocks) >= 2
    for key in next(case["expected"] for metric, case in GOOD if metric == name):
        stem = re.sub(r"(_without_na)?(_answered)?$", "", key)
        assert f"`{key}`" in text or f"`{stem}`" in text or key.startswith("n_"), f"the card leaves out {key}"


def imported(path: Path) -> list[tuple[int, str, int]]:
    """Level, module and number of names of every import in a file."""
    found: list[tuple[int, str, int]] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(0, alias.name, len(node.names)) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found.append((node.level, node.module or "", 1))
    return found


@every_metric
def test_folder_stands_alone(name: str) -> None:
    shell = imported(FOLDER / name / f"{name}.py")
    siblings = {module for level, module, _ in shell if level == 1}
    for path in (FOLDER / name).glob("*.py"):
        for level, module, names in imported(path):
            assert module.split(".")[0] != "punctum", f"{path} imports punctum"
            assert names == 1, f"{path}: evaluate stumbles over `import a, b`"
            assert level <= 1, f"{path} reaches out of its folder"
            if level == 1:
                assert module in siblings, f"{name}.py must import .{module}, or evaluate does not copy it"
            if path.name != f"{name}.py":
                assert module.split(".")[0] != "evaluate", f"{path} is no pure function"
    code = (FOLDER / name / "checks.py").read_bytes()
    assert code == (FOLDER / "mcq_accuracy" / "checks.py").read_bytes(), "copy mcq_accuracy/checks.py over it"


@every_metric
def test_first_metric_class(name: str, load: Callable[[str], Any]) -> None:
    """evaluate takes the first class that it finds; it must be ours, named like the folder."""
    assert type(load(name)).__name__.replace("_", "").lower() == name.replace("_", "")


def test_copied_away(tmp_path: Path) -> None:
    """All folders copied to where nothing of ours is; one process, since each start costs a second."""
    for name in METRICS:
        shutil.copytree(FOLDER / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    code = (
        "import importlib, json, sys\n"
        f"sys.path.insert(0, {str(tmp_path)!r})\n"
        f"for name in {METRICS!r}:\n"
        "    core = importlib.import_module(name + '.core')\n"
        "    assert callable(getattr(core, name))\n"
        "heavy = {'punctum', 'evaluate', 'torch', 'transformers'} & {m.split('.')[0] for m in sys.modules}\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path, timeout=120)
