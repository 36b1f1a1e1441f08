"""Built repositories: read by `datasets` where punctum cannot be imported, equal bytes each time, honest cards.

`PUNCTUM_READERS` names further interpreters, with other versions of datasets, that must read what this one built.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from PIL import Image

import punctum
from punctum import outward
from punctum._datasets import benchmarks, load, open_rows
from punctum.cards import read_card
from punctum.cli import main
from punctum.outward import build

READER = Path(__file__).parent / "read_built.py"
INTERPRETERS = [sys.executable, *filter(None, os.environ.get("PUNCTUM_READERS", "").split(os.pathsep))]


def _with_sample() -> list[str]:
    found = []
    for name in benchmarks():
        try:
            punctum.sample(name)
        except ValueError:
            continue
        found.append(name)
    return found


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Any:
    made: dict[str, Path] = {}

    def one(benchmark: str) -> Path:
        if benchmark not in made:
            made[benchmark] = tmp_path_factory.mktemp("built") / f"{benchmark}-copy"
            build(benchmark, punctum.sample(benchmark), made[benchmark], variants=benchmark == "mvp_bench")
        return made[benchmark]

    return one


def head(folder: Path) -> dict[str, Any]:
    value: dict[str, Any] = yaml.safe_load((folder / "README.md").read_text(encoding="utf-8").split("---\n")[1])
    return value


def read(interpreter: str, folder: Path, tmp_path: Path) -> Any:
    """Run the reader in an empty folder, with a cache of its own."""
    env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    env |= {"HF_HOME": str(tmp_path / "home"), "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    (tmp_path / "empty").mkdir(exist_ok=True)
    done = subprocess.run(
        [interpreter, str(READER), str(folder)], env=env, cwd=tmp_path / "empty", capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("benchmark", _with_sample())
@pytest.mark.parametrize("interpreter", INTERPRETERS)
def test_it_loads_where_punctum_is_not(built: Any, benchmark: str, interpreter: str, tmp_path: Path) -> None:
    folder = built(benchmark)
    value = read(interpreter, folder, tmp_path)
    entries = head(folder)["configs"]
    assert list(value["configs"]) == [entry["config_name"] for entry in entries]
    for entry in entries:
        splits = value["configs"][entry["config_name"]]
        assert list(splits) == [file["split"] for file in entry["data_files"]]
        assert all(found["rows"] for found in splits.values())


@pytest.mark.parametrize("interpreter", INTERPRETERS)
def test_rows_and_pictures_are_those_of_the_builder(built: Any, interpreter: str, tmp_path: Path) -> None:
    value = read(interpreter, built("mvp_bench"), tmp_path)["configs"]
    assert list(value) == ["yes_no", "mcq_single", "mcq_single_circular", "mcq_cross", "mcq_cross_circular"]
    folder = punctum.sample("mvp_bench")
    cases: list[tuple[str, dict[str, Any]]] = [("yes_no", {}), ("mcq_cross_circular", {"circular": True})]
    for name, kwargs in cases:
        rows = load("mvp_bench", name.removesuffix("_circular"), data_dir=folder, cache_dir=str(tmp_path), **kwargs)
        found = value[name]["test"]
        assert found["sizes"] == [list(image.size) for image in rows["image"]]
        plain = [dict(row) for row in rows.remove_columns("image")]
        assert [{k: v for k, v in row.items() if k != "image"} for row in found["rows"]] == plain
        assert all(row["image"] and "/" not in row["image"] for row in found["rows"])


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_building_twice_gives_equal_bytes(built: Any, tmp_path: Path) -> None:
    first = files(built("deepeval"))
    env = {**os.environ, "PYTHONHASHSEED": "7"}
    command = [sys.executable, "-m", "punctum.cli", "build", "deepeval", "--sample", "--quiet", "--out"]
    subprocess.run([*command, str(tmp_path / "again")], check=True, env=env, capture_output=True)
    assert files(tmp_path / "again") == first
    assert set(first) == {
        "README.md",
        "eval.yaml",
        *(f"{config}/test-00000-of-00001.parquet" for config in ("description", "title", "deep_semantics")),
    }


def test_small_shards_hold_the_same_rows(tmp_path: Path) -> None:
    folder = punctum.sample("mvp_bench")
    made = build("mvp_bench", folder, tmp_path / "out", ["yes_no"], shard_bytes=1 << 20)
    names = sorted(path.name for path in (tmp_path / "out/yes_no").iterdir())
    assert len(names) > 1
    assert names == [f"test-{i:05d}-of-{len(names):05d}.parquet" for i in range(len(names))]
    rows = load("mvp_bench", "yes_no", data_dir=folder, cache_dir=str(tmp_path))
    value = read(sys.executable, tmp_path / "out", tmp_path)["configs"]["yes_no"]["test"]["rows"]
    assert [row["id"] for row in value] == rows["id"]
    assert made.configs[0].splits[0].rows == len(rows)


@pytest.mark.parametrize("benchmark", _with_sample())
def test_the_card_says_what_there_is(built: Any, benchmark: str) -> None:
    folder = built(benchmark)
    text = (folder / "README.md").read_text(encoding="utf-8")
    front = head(folder)
    assert front["license"] == "apache-2.0" and "sample" in front["pretty_name"]
    assert "**This is not the benchmark.**" in text
    for section in ("## How this copy was made", "## What was odd about the files", "## Statistics", "### Rows"):
        assert section in text
    assert str(Path(punctum.sample(benchmark)).parent) not in text
    tasks = yaml.safe_load((folder / "eval.yaml").read_text(encoding="utf-8"))["tasks"]
    for info, entry in zip(front["dataset_info"], front["configs"], strict=True):
        assert info["config_name"] == entry["config_name"]
        for split, file in zip(info["splits"], entry["data_files"], strict=True):
            assert (entry["config_name"], file["split"]) in {(task["config"], task["split"]) for task in tasks}
            rows = len(list(open_rows_of(benchmark, entry["config_name"])[split["name"]]()))
            assert (split["num_examples"], split["name"]) == (rows, file["split"])
    assert len({task["id"] for task in tasks}) == len(tasks)


def open_rows_of(benchmark: str, name: str) -> Any:
    config, circular = name.removesuffix("_circular"), name.endswith("_circular")
    kwargs = {"circular": True} if circular else {}
    return open_rows(benchmark, config, punctum.sample(benchmark), **kwargs).splits


@pytest.mark.parametrize("benchmark", benchmarks())
def test_every_benchmark_has_a_card_with_licence_source_and_citation(benchmark: str) -> None:
    front, body = read_card(benchmark)
    assert {"license", "pretty_name", "language", "task_categories"} <= set(front)
    assert front["license"] != "other" or {"license_name", "license_link"} <= set(front)
    for word in ("**Source.**", "**Licence.**", "**Known faults of the source**", "```bibtex"):
        assert word in body


PROMPTS = {f"Prompt_{slot}": "Which? {} {} {} {}" for slot in (1, 2, 3)}


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    """Title questions alone, one with a picture, one without, one with a broken one."""
    folder = tmp_path / "raw"
    (folder / "Images").mkdir(parents=True)
    rows = [
        {"Image_ID": f"Img{i}", "Url": "https://example.org/", "Options": dict(zip("ABCD", "wxyz", strict=True))}
        | {"Answer": "A", **PROMPTS}
        for i in (1, 2, 3)
    ]
    (folder / "Title_Questions.json").write_text("".join(json.dumps(row) + "\n" for row in rows))
    Image.new("RGB", (8, 9), "navy").save(folder / "Images/Img1.jpg")
    (folder / "Images/Img3.png").write_bytes(b"gone")
    return folder


def test_missing_and_broken_pictures_are_rows_without_one(
    raw: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["build", "deepeval", "--data-dir", str(raw), "--out", str(out)]) == 0
    printed = capsys.readouterr()
    assert printed.out == f"{out}\n"
    assert "title, test: 3 rows" in printed.err
    assert "title: missing pictures: 1 (Img2)" in printed.err
    assert "title: pictures that cannot be used: 1 (Img3 (no picture that Pillow knows))" in printed.err
    assert "description is not at hand" in printed.err
    value = read(sys.executable, out, tmp_path)["configs"]["title"]["test"]
    assert value["sizes"] == [[8, 9], None, None]
    assert [row["image"] for row in value["rows"]] == ["Img1.jpg", None, None]
    text = (out / "README.md").read_text(encoding="utf-8")
    assert head(out)["license"] == "cc-by-nc-4.0"
    assert "files that are not known to be a published revision" in text
    assert "997" in text and "title: missing pictures: 1 (Img2)" in text
    assert str(raw) not in text


def test_strict_and_named_configs_fail_as_a_whole(
    raw: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    command = ["build", "deepeval", "--data-dir", str(raw), "--out", str(out), "--quiet"]
    assert main([*command, "--config", "title", "--strict"]) == 2
    assert "strict: deepeval/title: missing pictures: 1 (Img2)" in capsys.readouterr().err
    assert main([*command, "--config", "description"]) == 2
    assert "Descripion_Questions.json is missing" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["raw"]


def test_a_folder_in_use_is_left_alone(raw: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine.txt").write_text("mine")
    command = ["build", "deepeval", "--data-dir", str(raw), "--out", str(out), "--quiet"]
    for more in ([], ["--force"]):
        assert main([*command, *more]) == 2
        assert "is there already" in capsys.readouterr().err
    (out / "mine.txt").unlink()
    assert main(command) == 0
    assert main(command) == 2
    assert "--force replaces it" in capsys.readouterr().err
    (out / ".git").mkdir()
    assert main([*command, "--force"]) == 2
    assert "holds more than a build" in capsys.readouterr().err
    (out / ".git").rmdir()
    (out / "title/stale.parquet").write_bytes(b"")
    assert main([*command, "--force"]) == 0
    assert not (out / "title/stale.parquet").exists()


def test_a_build_that_breaks_leaves_the_earlier_one(raw: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build("deepeval", raw, tmp_path / "out")
    before = files(tmp_path / "out")

    def broken(*args: Any) -> str:
        raise RuntimeError("no space left")

    monkeypatch.setattr("punctum.outward.card", broken)
    with pytest.raises(RuntimeError, match="no space left"):
        build("deepeval", raw, tmp_path / "out", force=True)
    assert files(tmp_path / "out") == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "raw"]


@pytest.mark.shared
def test_the_published_questions(shared: Path, tmp_path: Path) -> None:
    made = build("deepeval", shared / "data/deepeval", tmp_path / "out", ["deep_semantics"])
    assert made.configs[0].splits[0].rows == 1001
    text = (tmp_path / "out/README.md").read_text(encoding="utf-8")
    assert "revision `b26126a33976e0ebbf9c048249ddceeae00e85d7` of https://github.com/AnnaYang2020/DeepEval" in text
    assert "| deep_semantics | 247 | 280 | 231 | 243 |" in text
    value = read(sys.executable, tmp_path / "out", tmp_path)["configs"]["deep_semantics"]["test"]
    assert len(value["rows"]) == 1001


def test_a_broken_file_is_an_error_and_no_missing_part(
    raw: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is not there is told and left out; what is broken would be left out unseen."""
    monkeypatch.chdir(raw.parent)
    assert main(["build", "deepeval", "--data-dir", raw.name, "--out", str(tmp_path / "out")]) == 0
    assert "description is not at hand: Descripion_Questions.json is missing" in capsys.readouterr().err
    (raw / "Descripion_Questions.json").write_text('{"Image_ID": "Img1"')
    assert main(["build", "deepeval", "--data-dir", raw.name, "--out", str(tmp_path / "again"), "--quiet"]) == 2
    assert "Descripion_Questions.json:1: not JSON" in capsys.readouterr().err
    assert not (tmp_path / "again").exists()


def own(tmp_path: Path) -> Path:
    """Data of one's own in DeepEval's form: the sample's files, one of them changed."""
    folder = tmp_path / "own"
    shutil.copytree(punctum.sample("deepeval"), folder)
    (folder / "construct.json").write_text(
        json.dumps({"kind": "deepeval", "models": [{"id": "m"}, {"id": "m"}, {"id": "n"}], "files": ["Title.json"]})
    )
    return folder


def test_data_of_ones_own_bear_their_own_name_and_licence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["build", "deepeval", "--data-dir", str(own(tmp_path)), "--config", "title", "--quiet", "--out"]
    out = tmp_path / "out"
    assert main([*words, str(out), "--title", "My cartoons", "--licence", "cc-by-4.0"]) == 0
    front, text = head(out), (out / "README.md").read_text(encoding="utf-8")
    assert (front["pretty_name"], front["license"]) == ("My cartoons", "cc-by-4.0")
    assert "source_datasets" not in front and "# My cartoons\n" in text and "not the benchmark whose form" in text
    assert "Yang" not in text, "no citation of those who did not make it"
    assert "`punctum construct deepeval` made of these files, by `m`, `n`: `Title.json`." in text
    assert yaml.safe_load((out / "eval.yaml").read_text(encoding="utf-8"))["name"] == "My cartoons"
    capsys.readouterr()
    assert main(["push", "dataset", str(out), "--repo", "me/mine", "--dry-run"]) == 0
    assert "Push My cartoons" in capsys.readouterr().out

    assert main([*words, str(tmp_path / "theirs")]) == 0
    assert head(tmp_path / "theirs")["license"] == "cc-by-nc-4.0"
    assert "`punctum construct deepeval` made of these" in (tmp_path / "theirs/README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--title", "Mine"], "want both --title and --licence"),
        (["--licence", "mit"], "want both --title and --licence"),
        (["--title", "Mine", "--licence", "do what you want"], "such as cc-by-4.0, mit or other"),
    ],
)
def test_half_a_claim_is_refused(
    words: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = own(tmp_path)
    assert main(["build", "deepeval", "--data-dir", str(folder), *words, "--out", str(tmp_path / "out")]) == 2
    assert says in capsys.readouterr().err and not (tmp_path / "out").exists()


def test_what_others_published_is_not_ones_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    claim = ["--title", "Mine", "--licence", "mit", "--out", str(tmp_path / "out")]
    assert main(["build", "deepeval", "--sample", *claim]) == 2
    assert "holds the package's sample" in capsys.readouterr().err
    monkeypatch.setattr(outward, "revision_of", lambda benchmark, folder: "abc")
    assert main(["build", "deepeval", "--data-dir", str(own(tmp_path)), *claim]) == 2
    assert "holds what the authors of deepeval published" in capsys.readouterr().err


def test_a_record_of_another_kind_is_named(tmp_path: Path) -> None:
    folder = own(tmp_path)
    (folder / "construct.json").write_text("[]")
    with pytest.raises(ValueError, match=r"construct\.json is not what punctum construct writes"):
        build("deepeval", folder, tmp_path / "out")
