"""`import punctum` makes the benchmarks known to `load_dataset`, in every supported version of datasets."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

import punctum
from punctum import _datasets
from punctum.datasets_scripts import reading

BEFORE_4 = int(version("datasets").split(".")[0]) < 4
SCRIPTS = Path(punctum.__file__).parent / "datasets_scripts"
ROW = {
    "question_id": 7,
    "id": 51,
    "image": "Single_Images/51_s.jpg",
    "question": "Is it calm?\nPlease answer yes or no.",
    "answer": "yes",
    "type": "y/n-s",
    "level": "low",
}


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    folder = tmp_path / "raw"
    folder.mkdir()
    (folder / "all_questions.json").write_text(json.dumps(ROW) + "\n")
    return folder


def run(code: str, tmp_path: Path, *args: str) -> str:
    """Run in a fresh interpreter with caches of its own."""
    env = {**os.environ, "HF_HOME": str(tmp_path / "home"), "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code, *args], env=env, cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


LOAD = """
from datasets import load_dataset
row = load_dataset("mvp_bench", "yes_no", data_dir=sys.argv[1], split="test")[0]
print(row["id"], row["answer"])
"""


def test_importing_punctum_does_not_import_datasets(tmp_path: Path) -> None:
    heavy = "import sys, punctum; print([m for m in ('datasets', 'pandas', 'pyarrow', 'torch') if m in sys.modules])"
    assert run(heavy, tmp_path) == "[]"


@pytest.mark.parametrize("first", ["import punctum, datasets", "import datasets, punctum", "import punctum"])
def test_the_order_of_imports_does_not_matter(raw: Path, tmp_path: Path, first: str) -> None:
    assert run(f"import sys\n{first}\n{LOAD}", tmp_path, str(raw)) == "mvp-0007 yes"


def test_the_hook_goes_when_it_has_done_its_work(tmp_path: Path) -> None:
    code = """
import sys, punctum
from punctum._datasets import _Hook, install
install()
assert sum(isinstance(f, _Hook) for f in sys.meta_path) == 1
import datasets, inspect
assert not any(isinstance(f, _Hook) for f in sys.meta_path)
assert "exec_module" not in vars(datasets.load.__spec__.loader)
print(inspect.getsource(datasets.load).startswith("# Copyright"))
"""
    assert run(code, tmp_path) == "True"


def test_other_names_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("a\n1\n")
    code = """
import punctum
from datasets import load_dataset
print(load_dataset("csv", data_files="data.csv", split="train")["a"][0])
"""
    assert run(code, tmp_path) == "1"


def test_streaming_by_name(raw: Path, tmp_path: Path) -> None:
    code = """
import sys, punctum
from datasets import load_dataset
stream = load_dataset("mvp_bench", "yes_no", data_dir=sys.argv[1], split="test", streaming=True)
print(next(iter(stream))["id"], next(iter(stream.skip(0).take(1)))["image"])
"""
    assert run(code, tmp_path, str(raw)) == "mvp-0007 None"


def test_without_a_folder_the_error_says_where_the_data_are(tmp_path: Path) -> None:
    code = """
import punctum
from datasets import get_dataset_config_names, load_dataset
print(get_dataset_config_names("deepeval"))
for name, config in (("mvp_bench", "yes_no"), ("deepeval", "title")):
    try:
        load_dataset(name, config)
    except ValueError as error:
        print(error)
"""
    configs, mvp, deepeval = run(code, tmp_path).splitlines()
    assert configs == "['description', 'title', 'deep_semantics']"
    assert mvp.startswith("mvp_bench needs data_dir")
    assert "huggingface.co/datasets/GZClarence/MVP-Bench" in mvp
    assert mvp.endswith('For a try: data_dir=punctum.sample("mvp_bench")')
    assert "AnnaYang2020/DeepEval" in deepeval


def test_data_files_are_refused(raw: Path, tmp_path: Path) -> None:
    code = """
import sys, punctum
from datasets import load_dataset
try:
    load_dataset("mvp_bench", "yes_no", data_files=sys.argv[1] + "/all_questions.json")
except ValueError as error:
    print(error)
"""
    assert run(code, tmp_path, str(raw)) == "mvp_bench reads a folder: pass data_dir=FOLDER, not data_files"


def test_no_lock_file_is_left_beside_the_package(raw: Path, tmp_path: Path) -> None:
    """A read-only install could not hold one (datasets 3.6 makes one for builders that are not its own)."""
    run(f"import sys, punctum\n{LOAD}", tmp_path, str(raw))
    assert list(SCRIPTS.resolve().parent.glob("*.lock")) == []


def test_load_and_load_dataset_share_a_cache(raw: Path, tmp_path: Path) -> None:
    code = f"""
import sys, punctum
{LOAD}
import logging
logging.basicConfig(level=logging.INFO, format="BUILT %(message)s", stream=sys.stdout)
from punctum._datasets import load
print(load("mvp_bench", "yes_no", data_dir=sys.argv[1])[0]["id"])
"""
    assert run(code, tmp_path, str(raw)).splitlines()[1:] == ["mvp-0007"]


def test_a_version_without_the_table_still_imports(tmp_path: Path) -> None:
    code = """
import punctum, types, logging
from punctum._datasets import _register
logging.basicConfig(format="%(message)s", stream=__import__("sys").stdout)
_register(types.ModuleType("datasets.load"))
"""
    assert "load_dataset will not know punctum's names" in run(code, tmp_path)


@pytest.mark.skipif(not BEFORE_4, reason="datasets 4 and later run no scripts")
def test_as_a_script_of_datasets_3(raw: Path, tmp_path: Path) -> None:
    """Only the script and its relative siblings are copied; it imports the rest from the installed punctum."""
    code = """
import sys
from datasets import load_dataset
row = load_dataset(sys.argv[2], "yes_no", data_dir=sys.argv[1], split="test", trust_remote_code=True)[0]
print(row["id"], row["answer"])
"""
    assert run(code, tmp_path, str(raw), str(SCRIPTS / "mvp_bench/mvp_bench_builder.py")) == "mvp-0007 yes"


def test_the_digest_covers_the_helpers(tmp_path: Path) -> None:
    folder = tmp_path / "scripts/bench"
    folder.mkdir(parents=True)
    builder, helper = folder / "bench_builder.py", folder.parent / "helper.py"
    builder.write_text("a = 1  # one\n")
    helper.write_text("b = 1\n")
    digests = [reading.code_digest(folder)]
    for file, text in ((builder, "a = 1  # two\n"), (helper, "b = 2\n"), (folder / "new.py", "")):
        file.write_text(text)
        digests.append(reading.code_digest(folder))
    assert len(set(digests)) == 4


def test_unknown_names_are_told_with_the_known() -> None:
    assert {"deepeval", "mvp_bench"} <= set(_datasets.benchmarks())
    with pytest.raises(ValueError, match=r"no benchmark 'mvp': one of .*mvp_bench"):
        _datasets.builder_class("mvp")


SAMPLES: list[tuple[str, str, dict[str, Any]]] = [
    ("mvp_bench", config, kwargs)
    for config in ("yes_no", "mcq_single", "mcq_cross")
    for kwargs in ({}, {"circular": True})
    if config != "yes_no" or not kwargs
] + [("deepeval", config, {}) for config in ("description", "title", "deep_semantics")]


@pytest.mark.parametrize(("benchmark", "config", "kwargs"), SAMPLES)
def test_the_samples_have_pictures_and_no_faults(
    benchmark: str, config: str, kwargs: dict[str, Any], tmp_path: Path
) -> None:
    folder = SCRIPTS / benchmark / "sample"
    rows = _datasets.load(benchmark, config, data_dir=folder, cache_dir=str(tmp_path), strict=True, **kwargs)
    assert len(rows) >= 16
    assert all(image is not None for image in rows["image"])
