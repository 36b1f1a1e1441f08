"""Runs with a dual encoder, from the command line, against rankings worked out with the library alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

import punctum  # noqa: E402
from punctum._datasets import load  # noqa: E402
from punctum.cli import main  # noqa: E402
from tests.fake_server import Asked, FakeServer  # noqa: E402
from tests.tiny_encoders import save_clip  # noqa: E402
from tests.tiny_models import save_llama  # noqa: E402

WORDS = {
    "objects visible": "a bottle, a feather, a table",
    "OCR expert": "NO TXT",
    "in detail": "A bottle of beer stands on a table and it is covered with feathers from top to bottom.",
    "unusual": "Bottles have no feathers.",
}


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.set_num_threads(1)
    return save_clip(tmp_path_factory.mktemp("encoders") / "tiny-clip")


@pytest.fixture(scope="module")
def embed(clip: Path) -> Callable[..., Any]:
    """Unit vectors of a picture, or the mean one of a text cut into pieces that fit, by the library alone."""
    from transformers import AutoModel, AutoProcessor

    processor, model = AutoProcessor.from_pretrained(clip), AutoModel.from_pretrained(clip).eval()
    limit = processor.tokenizer.model_max_length

    def pieces(text: str) -> list[str]:
        words, found = text.split(), [""]
        for word in words:
            longer = f"{found[-1]} {word}".strip()
            fits = len(processor.tokenizer(longer)["input_ids"]) <= limit
            found = [*found[:-1], longer] if fits else [*found, word]
        return found

    def vector(text: str | None = None, image: Any = None) -> Any:
        with torch.no_grad():
            if image is not None:
                given = model.get_image_features(**processor(images=image, return_tensors="pt")).pooler_output
            else:
                rows = [processor(text=part, return_tensors="pt") for part in pieces(str(text))]
                given = torch.cat([model.get_text_features(**row).pooler_output for row in rows])
        return torch.nn.functional.normalize(given, dim=-1).mean(0)

    return vector


def run(tmp_path: Path, *words: str) -> tuple[int, dict[str, Any], list[dict[str, Any]]]:
    code = main(["run", *words, "--sample", "--store", str(tmp_path / "s"), "--out", str(tmp_path / "out"), "--quiet"])
    if code:
        return code, {}, []
    lines = (tmp_path / "out" / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    found = json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))
    return code, found["tasks"], [json.loads(line) for line in lines]


def rows_of(benchmark: str, config: str, **more: Any) -> dict[str, Any]:
    return {row["id"]: row for row in load(benchmark, config, data_dir=punctum.sample(benchmark), **more)}


def describer(asked: Asked) -> str:
    return next(text for word, text in WORDS.items() if word in asked.prompt)


def expected(embed: Callable[..., Any], options: list[str], *shown: Any) -> list[float]:
    target = torch.stack([embed(image=s) if not isinstance(s, str) else embed(s) for s in shown]).mean(0)
    return [float(embed(option) @ target) for option in options]


def test_arr_with_all_text_parts(tmp_path: Path, clip: Path, embed: Callable[..., Any]) -> None:
    """CLIP (I+T+V+IN+UH) of Table 11."""
    words = ["pitt_ads/arr", "--model", f"clip:{clip}", "--context", "I+V+T+IN+UH", "--limit", "3"]
    with FakeServer(describer) as server:
        code, found, lines = run(tmp_path, *words, "--describe-with", f"openai:d@{server.url}")
    assert code == 0 and len(server.asked) == 3 * 4
    rows = rows_of("pitt_ads", "arr", split="train")
    for line in lines:
        row = rows[line["id"]]
        by_hand = expected(embed, row["options"], row["image"], *WORDS.values())
        assert line["scores"] == pytest.approx(by_hand, abs=2e-5)
        best = sorted(range(len(by_hand)), key=lambda i: -by_hand[i])[:3]
        assert (line["parsed"], line["rule"]) == (best, "similarity")
        assert line["output"] == ", ".join(map(str, best))
    right = [set(line["parsed"]) & set(rows[line["id"]]["answers"]) for line in lines]
    assert found["arr"]["metrics"]["prec_at_3"] == pytest.approx(sum(map(len, right)) / 9)
    signature = found["arr"]["signature"]
    assert "|context:I+V+T+IN+UH|" in signature and "|scoring:rank|" in signature
    assert "made_by:describe=d@" in signature and "|generation:max_new_tokens=64," in signature
    prompts = signature.partition("|prompts:")[2].partition("|")[0]
    assert [word.partition("@")[0] for word in prompts.split("+")] == [
        "pitt_ads/objects", "pitt_ads/scene_text", "pitt_ads/describe", "pitt_ads/unusual"
    ]  # fmt: skip


def test_the_store_keeps_rankings(
    tmp_path: Path, clip: Path, embed: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from punctum.evaluators.models.clip import DualEncoder

    words = ["whoops", "--model", f"clip:{clip}", "--limit", "4"]
    _, once, lines = run(tmp_path, *words)
    told = run(tmp_path, *words, "--setting", "sm", "--caption", "meta")[2]
    monkeypatch.setattr(DualEncoder, "answer", lambda *_: pytest.fail("it was asked again"))
    assert run(tmp_path, *words)[1:] == (once, lines)
    row = rows_of("whoops", "explanation_hard")[told[0]["id"]]
    assert told[0]["scores"] == pytest.approx(expected(embed, row["options"], row["selected_caption"]), abs=2e-5)
    assert told[0]["scores"] != lines[0]["scores"]


@pytest.mark.parametrize(
    ("task", "config"),
    [
        ("pitt_ads/arr_single", "arr_single"),
        ("pitt_ads/asr", "asr"),
        ("whoops/explanation", "explanation_hard"),
        ("mvp_bench/mcq_single", "mcq_single"),
        ("deepeval/title", "title"),
        ("vague/mcq", "all"),
    ],
)
def test_every_task_with_one_right_option(
    task: str, config: str, tmp_path: Path, clip: Path, embed: Callable[..., Any]
) -> None:
    benchmark = task.partition("/")[0]
    code, found, lines = run(tmp_path, task, "--model", f"clip:{clip}", "--limit", "2")
    rows = rows_of(benchmark, config, **({"split": "train"} if benchmark == "pitt_ads" else {}))
    assert code == 0
    for line in lines:
        row = rows[line["id"]]
        by_hand = expected(embed, row["options"], row.get("image") or row["images"][0])
        assert line["scores"] == pytest.approx(by_hand, abs=2e-5)
        best = max(range(len(by_hand)), key=by_hand.__getitem__)
        assert (line["parsed"], line["correct"]) == ([best], best in row["answers"])
    [score] = found.values()
    assert score["metrics"]["accuracy"] == sum(line["correct"] for line in lines) / len(lines)


def test_a_description_counts(tmp_path: Path, clip: Path, embed: Callable[..., Any]) -> None:
    words = ["deepeval/deep_semantics", "--model", f"clip:{clip}", "--limit", "2", "--prompt-slots", "1"]
    rows = rows_of("deepeval", "deep_semantics")
    for setting in ("vlm", "lm"):
        _, _, lines = run(tmp_path, *words, "--setting", setting, "--describe", "annotated")
        for line in lines:
            row = rows[line["id"]]
            shown = ([row["image"]] if setting == "vlm" else []) + [row["annotated_description"]]
            assert line["scores"] == pytest.approx(expected(embed, row["options"], *shown), abs=2e-5)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["pitt_ads/mac"], "mac has no options that could be ranked"),
        (["mvp_bench/yes_no"], "yes_no has no options that could be ranked"),
        (["whoops", "--setting", "lm"], "--setting lm shows neither"),
        (["whoops", "--setting", "sm"], "the stage caption is written; name a model that writes with --caption"),
        (
            ["pitt_ads/arr", "--context", "I+UH"],
            "the stage UH is written; name a model that writes with --describe-with",
        ),
        (["pitt_ads/arr", "--scoring", "likelihood"], "gives no likelihoods; use --scoring rank"),
        (["pitt_ads/arr", "--scoring", "generate"], "writes no text; use --scoring rank"),
        (["whoops", "--system", "Look."], "reads no system prompt"),
        (["vague", "--cot", "--scoring", "rank"], "a chain of thought must be written"),
    ],
)
def test_what_it_cannot_do_is_said(
    words: list[str], message: str, tmp_path: Path, clip: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, _ = run(tmp_path, *words, "--model", f"clip:{clip}", "--limit", "1")
    assert code == 2
    assert message in capsys.readouterr().err


def test_a_model_that_writes_does_not_rank(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = save_llama(tmp_path / "llama")
    assert run(tmp_path, "whoops", "--setting", "lm", "--model", f"text:{folder}", "--scoring", "rank")[0] == 2
    assert "does not rank options by their likeness to a picture; use --scoring generate" in capsys.readouterr().err


def test_an_ad_of_which_nothing_is_told_fails(tmp_path: Path, clip: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A text part may be empty: with nothing else there is nothing to compare the options with."""
    words = ["pitt_ads/arr", "--model", f"clip:{clip}", "--context", "T", "--limit", "2"]
    with FakeServer(lambda asked: " ") as server:
        assert run(tmp_path, *words, "--describe-with", f"openai:d@{server.url}")[0] == 1
    assert "neither a picture nor a text" in capsys.readouterr().err
