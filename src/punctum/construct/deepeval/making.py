"""From annotated pictures to DeepEval's question files."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from punctum import discovery
from punctum.construct.deepeval.revised import WANTED, read_three
from punctum.construct.deepeval.sources import PICTURES, Annotated, annotated
from punctum.construct.wants import Want
from punctum.construct.workshop import Workshop
from punctum.datasets_scripts.deepeval.questions import ANNOTATIONS, FIELDS, QUESTIONS
from punctum.datasets_scripts.mcq import draw_order, letter
from punctum.predictions import read_json_lines
from punctum.store import default_path

CANDIDATES = "candidates.jsonl"
#: What the prompts call a text of each task (Appendix B).
KINDS = {
    "description": ("description", "description"),
    "title": ("best title", "title"),
    "deep_semantics": ("deep meaning", "deep meaning"),
}
_REVISIONS = 768  # three paragraphs of some 45 words each, and chatter
_NUMBERS = 48


def make(args: argparse.Namespace, workshop: Workshop) -> int:
    """Ask for distractors, choose them, write the questions.

    Raises:
        ValueError: if a task or the data folder is not known, or similar texts are wanted and nobody can find them.
        DataError: if the annotations cannot be read at all.
    """
    tasks = _tasks(args.tasks, "--tasks")
    filtered = [] if args.filter == "none" else _tasks(args.filter, "--filter")
    if not args.sample and args.data_dir is None:
        raise ValueError("--data-dir names the folder with Annotation.json and Images/, or --sample takes the sample")
    folder = Path(discovery.sample("deepeval") if args.sample else args.data_dir).expanduser()
    similar = [task for task in tasks if task != "description"]
    if similar and not args.embed_with:
        raise ValueError(
            f"{', '.join(similar)}: --embed-with says who finds similar texts (clip:M as in the paper, or sentence "
            "embeddings); --tasks description needs none"
        )
    apart = workshop.dry_run or workshop.outputs.folder.resolve() != folder.resolve()
    names = [*(QUESTIONS[task] for task in tasks), CANDIDATES, *([ANNOTATIONS] if apart else [])]
    workshop.claim(names, [PICTURES] if apart else [])
    everything = annotated(folder, workshop)
    items = everything[: args.limit]
    options = {"description": _revisions(items, workshop)} if "description" in tasks else {}
    if similar:
        options |= _similar(args, similar, filtered, everything, items, workshop)
    if workshop.dry_run:
        return workshop.finish()
    counts = {task: _write(task, items, options[task], workshop) for task in tasks}
    if apart:
        _copy(folder, items, workshop)
    return workshop.finish(tasks=tasks, filtered=filtered, embedded_with=args.embed_with, questions=counts)


def _tasks(words: str, option: str) -> list[str]:
    found = [word.strip() for word in words.split(",") if word.strip()]
    for word in found:
        discovery.known(word, QUESTIONS, f"{option}: task")
    if not found:
        raise ValueError(f"{option} names no task; known: {', '.join(QUESTIONS)}")
    return list(dict.fromkeys(found))


def _revisions(items: Sequence[Annotated], workshop: Workshop) -> dict[str, list[str]]:
    """Description distractors: three revised paragraphs a picture, by one call (Appendix A)."""
    asked = [item for item in items if "description" in item.texts]
    wants = [
        Want(
            item=item.id,
            step="description",
            prompt="construct/deepeval/description",
            fields={"text": item.texts["description"]},
            read=partial(read_three, item.texts["description"], []),
            stand_in=["[a revision]"] * WANTED,
        )
        for item in asked
    ]
    kept = workshop.ask(wants, _REVISIONS)
    return {item.id: texts for item, texts in zip(asked, kept, strict=True) if texts is not None}


def _similar(
    args: argparse.Namespace,
    tasks: Sequence[str],
    filtered: Sequence[str],
    everything: Sequence[Annotated],
    items: Sequence[Annotated],
    workshop: Workshop,
) -> dict[str, dict[str, list[str]]]:
    """Distractors out of the most similar texts, after the model's and people's filter."""
    from punctum.construct.deepeval.candidates import Candidate, Similar, read_numbers

    confusing = _confusing(args.rated)
    if workshop.dry_run:  # nothing is embedded: any texts of others stand for the candidates
        found = {t: {i.id: [Candidate("[a text]", "", 0.0)] * args.candidates for i in items} for t in tasks}
    else:
        finder = Similar(args.embed_with, workshop.load, default_path().parent / "embeddings")
        found = {task: finder.nearest(task, everything, items, args.candidates, workshop) for task in tasks}
    wants: list[Want] = []
    for task in (task for task in tasks if task in filtered):
        for item in (item for item in items if found[task].get(item.id)):
            candidates = found[task][item.id]
            texts = [candidate.text for candidate in candidates]
            wants.append(
                Want(
                    item=item.id,
                    step=task,
                    prompt="construct/deepeval/too_close",
                    fields={
                        "kind": KINDS[task][1],
                        "gold": item.texts.get(task, ""),
                        "texts": texts,
                    },
                    read=partial(read_numbers, candidates),
                    stand_in=[],
                )
            )
    too_close = {(want.item, want.step): v for want, v in zip(wants, workshop.ask(wants, _NUMBERS), strict=True)}
    if workshop.dry_run:
        return {}
    lines: list[dict[str, Any]] = []
    chosen: dict[str, dict[str, list[str]]] = {}
    for task in tasks:
        for item in (item for item in items if item.id in found[task]):
            closed = too_close.get((item.id, task), [])
            if closed is None:
                continue  # the filter gave no answer, which is listed
            left = []
            for place, candidate in enumerate(found[task][item.id]):
                identity = f"{item.id}#{task}#{candidate.of}"
                is_out = place in closed or identity in confusing
                lines.append(_candidate_line(identity, item, task, candidate, is_out, workshop.outputs.folder))
                left += [] if is_out else [candidate.text]
            if len(left) < WANTED:
                workshop.fault(item.id, "fewer texts than distractors wanted", f"{len(left)} of {WANTED}", step=task)
                continue
            chosen.setdefault(task, {})[item.id] = left[:WANTED]
            workshop.drawn(item.id, task, left[:WANTED])
    workshop.outputs.lines(CANDIDATES, lines)
    return {task: chosen.get(task, {}) for task in tasks}


def _candidate_line(
    identity: str, item: Annotated, task: str, candidate: Any, is_out: bool, folder: Path
) -> dict[str, Any]:
    """A line that `punctum construct ratings export distractor` takes as it is."""
    line = {
        "id": identity,
        "group": item.id,
        "kind": task,
        "answer": item.texts[task],
        "text": candidate.text,
        "of": candidate.of,
        "cosine": round(candidate.cosine, 4),
        "left_out": is_out,
    }
    if item.picture is not None and item.picture.path is not None:
        line["image"] = os.path.relpath(item.picture.path, folder)
    return line


def _confusing(path: str | None) -> set[str]:
    """Candidates that people found confusing, from `ratings.jsonl`."""
    if path is None:
        return set()
    found = set()
    for number, line in read_json_lines(path):
        if "id" not in line or "kept" not in line:
            raise ValueError(f"{path}:{number}: no fields id and kept; --rated takes ratings.jsonl")
        if line["kept"] is False:
            found.add(str(line["id"]))
    return found


def _write(task: str, items: Sequence[Annotated], distractors: Mapping[str, list[str]], workshop: Workshop) -> int:
    """Write the questions of a task in the published form; how many there are."""
    slots = [
        workshop.prompts.render(
            f"deepeval/slot_{slot}", options=["{}"] * (WANTED + 1), kind=KINDS[task][1], kind_in_slot_1=KINDS[task][0]
        )
        for slot in (1, 2, 3)
    ]
    lines = []
    for item in items:
        if item.id not in distractors:
            continue
        texts = [item.texts[task], *distractors[item.id]]
        order = draw_order(len(texts), workshop.seed, f"{item.id}#{task}")
        lines.append(
            {
                "Image_ID": item.id,
                "Url": item.url or f"{PICTURES}/{Path(str(item.picture.path)).name}" if item.picture else item.url,
                "Options": {letter(place): texts[index] for place, index in enumerate(order)},
                "Answer": letter(order.index(0)),
                **{f"Prompt_{slot}": prompt for slot, prompt in enumerate(slots, 1)},
            }
        )
    workshop.outputs.lines(QUESTIONS[task], lines)
    return len(lines)


def _copy(folder: Path, items: Sequence[Annotated], workshop: Workshop) -> None:
    """Annotations and pictures beside the questions, so that the builder reads the folder."""
    rows = [
        {"Image_ID": item.id, "Url": item.url, **{FIELDS[task]: item.texts.get(task, "") for task in FIELDS}}
        for item in items
    ]
    workshop.outputs.text(ANNOTATIONS, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    for item in items:
        if item.picture is not None and item.picture.path is not None:
            path = Path(item.picture.path)
            workshop.outputs.data(f"{PICTURES}/{path.name}", path.read_bytes())
