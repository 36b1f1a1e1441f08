"""Make VAGUE's sample: scenes with tagged people, and a JSON array in the form of the released one.

    python scripts/make_vague_sample.py [--out DIR]

The texts are in `vague_sample_texts.json`, the drawings in `vague_drawings/`. Every picture is there twice:
with the people's tags (`<image_name>_annot.jpg`, as released) and without (`<image_name>.jpg`, so that the
drawing of tags can be tried). Under which letters the four texts are shown follows from a hash of seed and name,
each letter being right equally often, so every run gives the same file.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))  # so that the script runs by its path as well as with -m

from punctum.datasets_scripts.vague.questions import KINDS, TEXTS  # noqa: E402
from punctum.datasets_scripts.vague.tags import draw_tags  # noqa: E402
from scripts.vague_drawings import draw  # noqa: E402
from scripts.vague_drawings.scene import HEIGHT, WIDTH  # noqa: E402

SEED = 0
LETTERS = "ABCD"
DEFAULT_OUT = HERE.parent / "datasets_scripts" / "vague" / "sample"
_JPEG: dict[str, Any] = {"quality": 88, "subsampling": 0, "optimize": True}

Item = Mapping[str, Any]


def digest(*parts: object) -> str:
    """Hex sha256 of the parts joined by colons, the seed first."""
    return hashlib.sha256(":".join(str(p) for p in (SEED, *parts)).encode()).hexdigest()


def read_items(path: Path) -> list[Item]:
    """The scenes' texts, each with its `image_name`."""
    items: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return [{**item, "name": image_name(item, i)} for i, item in enumerate(items)]


def image_name(item: Item, index: int) -> str:
    """A name as VCR's (film, times, `@` and a number) or as Ego4D's (a video and a frame) are."""
    if item["source"] == "vcr":
        start = f"00.{10 + index}.12.250-00.{10 + index}.15.500"
        return f"{1001 + index}_{item['drawing'].title()}_{start}@{index % 4}"
    key = digest("video", item["drawing"])
    return f"{key[:8]}-{key[8:12]}-{key[12:16]}-{key[16:20]}-{key[20:32]}_{index * 75:06d}"


def orderings(items: Sequence[Item]) -> dict[str, list[str]]:
    """For every name the letters of its four texts; the first is the right one's, balanced in each source."""
    by_source = sorted(items, key=lambda item: (item["source"], digest("gold", item["name"])))
    ranked = [str(item["name"]) for item in by_source]
    found = {}
    for rank, name in enumerate(ranked):
        gold = LETTERS[rank % len(LETTERS)]
        others = sorted((x for x in LETTERS if x != gold), key=lambda x: digest("order", name, x))
        found[name] = [gold, *others]
    return found


def row(item: Item, ordering: Sequence[str], boxes: Sequence[Sequence[float]]) -> dict[str, Any]:
    """The row as released."""
    person = f"person{item['person']}"
    said = {"direct": f"Hey, {person}, {item['direct']}", "indirect": f"Hey {person}, {item['indirect']}"}
    wants = {text: f"The speaker wants {person} to {item[kind]}." for text, kind in zip(TEXTS, KINDS, strict=True)}
    return {
        "image_name": item["name"],
        **said,
        "solution": f"({person}, {item['action']}, {item['object']})",
        "mcq": {**wants, "ordering": list(ordering)},
        "meta": {
            "caption": item["caption"],
            "ram_entity": sorted(item["entities"]),
            "img_size": {"width": WIDTH, "height": HEIGHT},
            "person_bbox": [[round(x, 2) for x in box] for box in boxes],
            "rating": dict(zip(("direct", "indirect"), item["rating"], strict=True)),
            "fake_caption": item["fake_caption"],
        },
    }


def make(out: Path, report: Callable[[str], object] = print) -> None:
    """Write the whole sample (but its README) into `out`."""
    items = read_items(HERE / "vague_sample_texts.json")
    letters = orderings(items)
    out.mkdir(parents=True, exist_ok=True)
    rows = []
    for item in items:
        picture, boxes = draw(item["drawing"])
        picture.save(out / f"{item['name']}.jpg", **_JPEG)
        draw_tags(picture, boxes).save(out / f"{item['name']}_annot.jpg", **_JPEG)
        rows.append(row(item, letters[item["name"]], boxes))
    text = json.dumps(rows, indent=1, ensure_ascii=False) + "\n"
    (out / "vague.json").write_bytes(text.encode("utf-8"))
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    report(f"{len(items)} scenes, {size / 1e6:.2f} MB in {out}")


def main() -> None:
    """Parse the command line and make the sample."""
    parser = argparse.ArgumentParser(description="Make VAGUE's sample.")
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT, help="folder to write (default: the repo's sample)")
    make(parser.parse_args().out)


if __name__ == "__main__":
    main()
