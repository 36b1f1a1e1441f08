"""Make WHOOPS!'s sample: pictures that defy common sense, with explanations, captions and hard negatives.

    python scripts/make_whoops_sample.py [--out DIR]

The texts are in `whoops_sample_texts.json`, the drawings in `whoops_drawings/`. The form is that of the earlier
release: a CSV with a byte-order mark, lists as JSON texts, pictures by id. Ids and the random negatives follow from
hashes, so every run gives the same files.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))  # so that the script runs by its path as well as with -m

from punctum.datasets_scripts.whoops.explanations import HARD_KINDS, Pool  # noqa: E402
from scripts.whoops_drawings import draw  # noqa: E402

SEED = 0
DEFAULT_OUT = HERE.parent / "datasets_scripts" / "whoops" / "sample"
DESIGNER = "Punctum"
Item = Mapping[str, Any]


def read_items(path: Path) -> list[Item]:
    """The pictures' texts, each with its id and its explanation."""
    items: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    for item in items:
        item["id"] = hashlib.sha256(f"{SEED}:{item['drawing']}".encode()).hexdigest()[:32]
        item["explanation"] = f"{item['first']} {item['second']}"
    return sorted(items, key=lambda item: str(item["id"]))


def table(items: Sequence[Item]) -> bytes:
    """The CSV, as it was published: with a mark, lists as JSON texts."""
    rows = [
        {
            "image_id": item["id"],
            "designer_explanation": item["explanation"],
            "selected_caption": item["caption"],
            "crowd_captions": [item["caption"], *item["crowd_captions"]],
            "crowd_explanations": item["crowd_explanations"],
            "crowd_underspecified_captions": item["underspecified"],
            "question_answering_pairs": item["questions"],
            "commonsense_category": item["category"],
            "image_designer": DESIGNER,
        }
        for item in items
    ]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    for row in rows:
        writer.writerow({k: json.dumps(v) if isinstance(v, list) else v for k, v in row.items()})
    return text.getvalue().encode("utf-8-sig")


def hard_negatives(items: Sequence[Item]) -> dict[str, dict[str, str]]:
    """Image id to kind to text; the random one is another picture's explanation."""
    pool = Pool({item["id"]: item["explanation"] for item in items})
    found = {}
    for item in items:
        (other,) = pool.draw(item["id"], SEED, 1, [item["explanation"]])
        texts = {**item, "random": other}
        found[item["id"]] = {kind: texts[kind] for kind in HARD_KINDS}
    return found


def make(out: Path, report: Callable[[str], object] = print) -> None:
    """Write the whole sample (but its README) into `out`."""
    items = read_items(HERE / "whoops_sample_texts.json")
    (out / "whoops_images").mkdir(parents=True, exist_ok=True)
    for item in items:
        draw(item["drawing"]).save(out / f"whoops_images/{item['id']}.png", optimize=True)
    (out / "whoops_dataset.csv").write_bytes(table(items))
    negatives = json.dumps(hard_negatives(items), indent=1, ensure_ascii=False) + "\n"
    (out / "hard_negatives.json").write_bytes(negatives.encode("utf-8"))
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    report(f"{len(items)} pictures, {size / 1e6:.2f} MB in {out}")


def main() -> None:
    """Parse the command line and make the sample."""
    parser = argparse.ArgumentParser(description="Make WHOOPS!'s sample.")
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT, help="folder to write (default: the repo's sample)")
    make(parser.parse_args().out)


if __name__ == "__main__":
    main()
