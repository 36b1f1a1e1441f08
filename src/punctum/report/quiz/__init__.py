"""A page on which people answer a task's questions, for the human rows that DeepEval and VAGUE print.

The page opens from disk. Options stand in an order drawn by (seed, id); the answers that it saves name options in
the published order, so that `punctum score` reads them as it reads any model's. Nothing on the page tells which
option is right.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from punctum.answers import letter
from punctum.datasets_scripts.option_rows import draw, draw_order
from punctum.prompts import Prompts
from punctum.records import Picture, Sample
from punctum.report.scripts import harmless
from punctum.results import whole_file, write_whole

#: Longest side of a picture on the page, in pixels: people look at details.
LONGEST_SIDE = 1280
_QUALITY = 90
_HERE = Path(__file__).resolve().parent
_FILES = ("index.html", "quiz.css", "quiz.js")
_QUESTIONS = "questions.js"
_START = "window.QUIZ = "


@dataclass
class Quiz:
    """Questions for people.

    Attributes:
        benchmark, task: what is asked.
        title: for people.
        setting: `vlm`, `sm` or `lm`.
        seed: of the choice of questions and the order of options.
        command: how the saved files are scored.
        samples: the questions, in the order in which they are shown.
    """

    benchmark: str
    task: str
    title: str
    setting: str
    seed: int
    command: str
    samples: Sequence[Sample] = field(default_factory=list)


def drawn(samples: Iterable[Sample], n: int, seed: int) -> list[Sample]:
    """Choose questions by hash of (seed, cluster): all questions of a picture or pair, or none.

    Args:
        samples: the questions of a task, each once.
        n: how many at the least; further ones only where they belong to the last picture or pair.
        seed: of the draw.

    Returns:
        the questions in an order drawn by (seed, id), so that the two pictures of a pair do not follow each other.
    """
    clusters: dict[str, list[Sample]] = {}
    for sample in samples:
        clusters.setdefault(sample.cluster or sample.unit.id, []).append(sample)
    chosen: list[Sample] = []
    for name in sorted(clusters, key=lambda name: draw(seed, name)):
        if len(chosen) >= n:
            break
        chosen += clusters[name]
    return sorted(chosen, key=lambda sample: draw(seed, sample.unit.id))


def write(quiz: Quiz, out: Path, prompts: Prompts | None = None) -> list[str]:
    """Write the page, its pictures and `ids.txt`, which names the questions for `punctum score --ids`.

    Args:
        quiz: the questions.
        out: a folder; what an earlier quiz left there is replaced.
        prompts: templates; `quiz/BENCHMARK_TASK` says what people are asked.

    Returns:
        what could not be shown: a line a picture that cannot be read.

    Raises:
        ValueError: if nobody wrote what people are asked in this task, there are no questions, or the folder holds
            what no quiz wrote.
        OSError: if the folder cannot be written.
    """
    check_folder(out, "ids.txt")
    if not quiz.samples:
        raise ValueError(f"{quiz.benchmark}/{quiz.task}: no questions")
    faults: list[str] = []
    pictures: dict[str, bytes] = {}
    data = {
        "benchmark": quiz.benchmark,
        "task": quiz.task,
        "title": quiz.title,
        "command": quiz.command,
        "questions": list(_questions(quiz, prompts or Prompts(), pictures, faults)),
    }
    write_page(out, data, pictures)
    ids = dict.fromkeys(sample.unit.id for sample in quiz.samples)
    (out / "ids.txt").write_text("".join(f"{identity}\n" for identity in ids), encoding="utf-8")
    return faults


def write_page(out: Path, data: Mapping[str, Any], pictures: Mapping[str, bytes]) -> None:
    """Write the page for any questions of the forms that it knows.

    Args:
        out: a folder; what an earlier page left there is replaced.
        data: `benchmark`, `task`, `title`, `command`, perhaps `intro`, and `questions` as `quiz.js` reads them.
        pictures: file name to JPEG.

    Raises:
        ValueError: if the folder holds what no page wrote.
    """
    check_folder(out)
    key = hashlib.sha256(json.dumps(data["questions"], sort_keys=True).encode()).hexdigest()[:16]
    with whole_file(out / _QUESTIONS) as file:  # first: it says that the rest is ours, should this be the last
        file.write(f"{_START}{as_script({'key': key, **data})};\n")
    shutil.rmtree(out / "pictures", ignore_errors=True)
    for name, picture in pictures.items():
        write_whole(out / "pictures" / name, picture)
    for name in _FILES:
        shutil.copyfile(_HERE / name, out / name)


def check_folder(out: Path, *more: str) -> None:
    """Refuse a folder whose files a page would replace, if no page wrote them: a benchmark has `pictures/`, too.

    Args:
        out: the folder.
        more: what comes there beside the page's own files.

    Raises:
        ValueError: that names them.
    """
    if out.exists() and not out.is_dir():
        raise ValueError(f"{out} is a file; --out takes a folder")
    questions = out / _QUESTIONS
    if questions.is_file() and questions.read_text(encoding="utf-8", errors="replace").startswith(_START):
        return
    theirs = [name for name in (*_FILES, _QUESTIONS, "pictures", *more) if (out / name).exists()]
    if theirs:
        raise ValueError(f"{out} has {', '.join(theirs)} that no quiz wrote; give --out a new or an empty folder")


def as_script(value: object) -> str:
    """A value as JavaScript: JSON that cannot end a script element, and that old engines read."""
    return harmless(json.dumps(value, ensure_ascii=False, indent=1))


def _questions(quiz: Quiz, prompts: Prompts, pictures: dict[str, bytes], faults: list[str]) -> Iterator[dict[str, Any]]:
    words = template(quiz.benchmark, quiz.task, prompts)
    for sample in quiz.samples:
        unit = sample.unit
        names = []
        for picture in sample.pictures if quiz.setting == "vlm" else ():
            try:
                names.append(_copy(picture, pictures))
            except Exception as error:  # Pillow's plugins raise whatever a broken file brings them to
                faults.append(f"{unit.id}: {type(error).__name__}: {error}")
        yield {
            "id": unit.id,
            "task": unit.task,
            "setting": unit.setting,
            "prompt_slot": unit.prompt_slot,
            "form": sample.form,
            "ask": prompts.render(words, **sample.fields).strip(),  # without the options
            "pictures": names,
            "caption": str(sample.fields.get("caption") or "") if quiz.setting == "sm" else "",
            **_answers(sample, quiz.seed),
        }


def template(benchmark: str, task: str, prompts: Prompts) -> str:
    """The template that says what people are asked.

    Raises:
        ValueError: if there is none for the task.
    """
    name = f"quiz/{benchmark}_{task}"
    if name not in prompts.names():
        known = sorted(n.removeprefix("quiz/") for n in prompts.names() if n.startswith("quiz/"))
        raise ValueError(
            f"{benchmark}/{task} has no words for people: write {name}.jinja in a folder and name it with --prompts; "
            f"there are words for {', '.join(known)}"
        )
    return name


def _answers(sample: Sample, seed: int) -> Mapping[str, Any]:
    """What can be answered, and what each answer is called in the saved file."""
    if sample.form == "choice":
        order = draw_order(len(sample.options), seed, sample.unit.id)
        first = sample.first_number
        return {
            "options": [sample.options[i] for i in order],
            "values": [letter(i) if first is None else str(first + i) for i in order],
            "wanted": sample.wanted,
            "permutation": list(sample.permutation),
        }
    if sample.form == "labels":
        titles = sample.fields.get("names", {})
        return {
            "options": [f"{label}: {', '.join(titles.get(label, []))}" for label in sample.options],
            "values": list(sample.options),
            "wanted": 0,
        }
    if sample.form == "yes_no":
        return {"options": ["Yes", "No"], "values": ["Yes", "No"], "wanted": 1}
    if sample.form == "objects":
        return {"template": str(sample.fields["template"])}
    return {}


def _copy(picture: Picture, pictures: dict[str, bytes]) -> dict[str, Any]:
    """A copy's name and size; the page keeps room for it, so that nothing moves when it comes."""
    name = picture.copy_name
    pictures[name], width, height = picture.small_copy(LONGEST_SIDE, _QUALITY)
    return {"name": name, "width": width, "height": height}
