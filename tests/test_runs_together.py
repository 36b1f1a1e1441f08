"""Tasks of one benchmark asked together: the same results, and each picture looked at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from punctum.cli import main
from punctum.commands import run as command
from punctum.evaluators.models import sample_model
from punctum.evaluators.models.base import ModelOptions
from punctum.evaluators.models.transformers_image_text import ImageTextModel


def run(folder: Path, *more: str) -> int:
    words = ["run", "mvp_bench", "--sample", "--model", "punctum:sample", "--limit", "3", "--quiet", "--no-pictures"]
    return main([*words, "--store", str(folder / "store.sqlite"), "--out", str(folder / "out"), *more])


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many pictures each pass of the vision tower saw."""
    seen: list[int] = []
    usual = sample_model.load

    def load(name: str, options: ModelOptions) -> ImageTextModel:
        model = usual(name, options)
        assert model.sharing.level == "prefix"
        tower = model.model.base_model.vision_tower
        look = tower.forward

        def counted(pixel_values: Any, *args: Any, **kwargs: Any) -> Any:
            seen.append(len(pixel_values))
            return look(pixel_values, *args, **kwargs)

        tower.forward = counted
        return model

    monkeypatch.setattr(sample_model, "load", load)
    return seen


def test_tasks_asked_together_give_what_they_give_alone(
    tmp_path: Path, looked_at: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(tmp_path / "together") == 0
    together = sum(looked_at)
    looked_at.clear()
    monkeypatch.setattr(command, "worth_it", lambda jobs, cast: False)
    assert run(tmp_path / "alone") == 0
    for name in ("predictions.jsonl", "samples.jsonl"):
        assert (tmp_path / "together/out" / name).read_text() == (tmp_path / "alone/out" / name).read_text()
    assert together < sum(looked_at)


def test_what_was_answered_before_an_interrupt_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = ImageTextModel.answer

    def interrupted(self: ImageTextModel, *given: Any) -> Any:
        yield next(usual(self, *given))
        raise KeyboardInterrupt

    monkeypatch.setattr(ImageTextModel, "answer", interrupted)
    assert run(tmp_path, "--batch-size", "2") == 130
    lines = (tmp_path / "out/predictions.jsonl").read_text().splitlines()
    assert len(lines) == 2
    monkeypatch.undo()
    assert run(tmp_path) == 0
