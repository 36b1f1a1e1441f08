"""Measure the sample's model: on fresh drawings, with pictures swapped, and on the shipped sample.

    python -m scripts.measure_sample_model [--model src/punctum/sample_model] [--pairs 200]

Fresh drawings come from another seed than training and show nothing that the sample shows. Swapped means
that every question is asked of another pair's picture: a model that does not look loses nothing by it.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from PIL import Image

from scripts import sample_questions as ask
from scripts.make_mvp_bench_sample import SIZE, held_out
from scripts.sample_drawing import draw, side_by_side
from scripts.sample_world import ATTRIBUTES, random_pair

FRESH_SEED = 77_000_001


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its picture.

    Attributes:
        picture: decoded, RGB.
        text: the prompt.
        answer: what should be written.
        kind: what it counts under.
        group: pictures are swapped between groups, never within one.
    """

    picture: Image.Image
    text: str
    answer: str
    kind: str
    group: int


def fresh_questions(n_pairs: int, seed: int = FRESH_SEED) -> list[Asked]:
    """Questions on new pairs: eight low yes/no, two high, two by letter a pair."""
    rng = random.Random(seed)
    keys = {tuple(key) for key in held_out()["keys"]}
    asked: list[Asked] = []
    for group in range(n_pairs):
        pair = random_pair(rng, keys)
        for scene in (pair.source, pair.edited):
            names = iter(lambda: rng.choice(list(ATTRIBUTES)), "")
            picture = draw(scene, SIZE)
            low = (ask.low_yes_no(scene, name, rng) for name in names)
            high = (ask.high_yes_no(scene, rng) for _ in range(200))
            questions = [*_first(low, 4), *_first(high, 1)]
            choice = ask.low_choice(scene, rng.choice([n for n in ATTRIBUTES if n not in ("sign", "group")]), rng)
            questions += [choice] if choice else []
            asked += [Asked(picture, q.text, q.answer, q.kind, group) for q in questions]
        both = side_by_side(draw(pair.source, SIZE), draw(pair.edited, SIZE))
        for question in (ask.cross_low_choice(pair, rng), ask.cross_high_choice(pair, rng)):
            asked.append(Asked(both, question.text, question.answer, question.kind, group))
    return asked


def _first(questions: Iterator[ask.Question | None], n: int) -> list[ask.Question]:
    found: list[ask.Question] = []
    for question in questions:
        if question is not None:
            found.append(question)
        if len(found) == n:
            break
    return found


def swapped(asked: Sequence[Asked]) -> list[Asked]:
    """The same questions, each of the picture of a question of its kind about half the list away."""
    kinds: dict[str, list[Asked]] = defaultdict(list)
    for item in asked:
        kinds[item.kind].append(item)
    result: list[Asked] = []
    for items in kinds.values():
        for i, item in enumerate(items):
            other = next(o for o in (*items[i + len(items) // 2 :], *items) if o.group != item.group)
            result.append(Asked(other.picture, item.text, item.answer, item.kind, item.group))
    return result


def sample_questions(folder: Path) -> list[Asked]:
    """The questions of a folder in MVP-Bench's raw form that have pictures there, direct form."""
    asked = []
    for line in (folder / "all_questions.json").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        task = {"y/n-s": "yes_no", "y/n-e": "yes_no", "mcq-cross": "mcq_cross", "mcq-e": "mcq_single"}[row["type"]]
        picture = Image.open(folder / row["image"]).convert("RGB")
        answer = row["answer"].capitalize()
        asked.append(Asked(picture, row["question"], answer, f"{task}_{row['level']}", row["id"]))
    return asked


def write_answers(model: Any, processor: Any, asked: Sequence[Asked], batch_size: int = 64) -> list[str]:
    """What the model writes, greedily, one text a question."""
    outputs = [""] * len(asked)
    order = sorted(range(len(asked)), key=lambda i: len(asked[i].text))
    for start in range(0, len(order), batch_size):
        rows = order[start : start + batch_size]
        prompts = [
            processor.apply_chat_template(
                [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": asked[i].text}]}],
                add_generation_prompt=True,
            )
            for i in rows
        ]
        inputs = processor(
            images=[asked[i].picture for i in rows],
            text=prompts,
            padding=True,
            add_special_tokens=False,
            return_tensors="pt",
        )
        with torch.inference_mode():
            written = model.generate(**inputs)
        texts = processor.batch_decode(written[:, inputs["input_ids"].shape[1] :], skip_special_tokens=True)
        for i, text in zip(rows, texts, strict=True):
            outputs[i] = text
    return outputs


def accuracies(asked: Sequence[Asked], outputs: Sequence[str]) -> Mapping[str, tuple[float, int]]:
    """Share of exact answers and number of questions, by kind."""
    hits: dict[str, list[bool]] = defaultdict(list)
    for item, output in zip(asked, outputs, strict=True):
        hits[item.kind].append(output == item.answer)
    return {kind: (sum(h) / len(h), len(h)) for kind, h in sorted(hits.items())}


def load(folder: Path) -> tuple[Any, Any]:
    """Model and processor, as any user loads them."""
    from transformers import AutoModelForImageTextToText, AutoProcessor

    model = AutoModelForImageTextToText.from_pretrained(folder)
    return model.eval(), AutoProcessor.from_pretrained(folder)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Measure the sample's model.")
    parser.add_argument("--model", type=Path, default=Path("src/punctum/sample_model"))
    parser.add_argument("--sample", type=Path, default=Path("datasets_scripts/mvp_bench/sample"))
    parser.add_argument("--pairs", type=int, default=200, help="fresh pairs, each of three pictures")
    parser.add_argument("--json", type=Path, help="write the figures here as well")
    given = parser.parse_args()
    model, processor = load(given.model)
    fresh = fresh_questions(given.pairs)
    figures: dict[str, Mapping[str, tuple[float, int]]] = {}
    for name, asked in (
        ("fresh", fresh),
        ("fresh, pictures swapped", swapped(fresh)),
        ("shipped sample", sample_questions(given.sample)),
    ):
        figures[name] = accuracies(asked, write_answers(model, processor, asked))
        print(name)
        for kind, (share, n) in figures[name].items():
            print(f"  {kind:16} {100 * share:5.1f} %  of {n}")
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
