"""Make PittAds' sample: pictures, annotations and action-reason statements in the form of the published files.

    python scripts/make_pitt_ads_sample.py [--out DIR]

The texts are in `pitt_ads_sample_texts.json`, the drawings in `pitt_ads_drawings/`. An ad has one action with an
object to swap, `{beer|paint}`, and three reasons with an adjective to turn, `{light|heavy}`; with another action,
another reason and an unrelated statement these make the five kinds of hard negatives (paper, Section 4). The two
splits have the statements in two of the published forms: train with answers and options, test with true statements
only. The order of options follows from a hash of seed and image, so every run gives the same bytes.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))  # so that the script runs by its path as well as with -m

from scripts.pitt_ads_drawings import draw  # noqa: E402

SEED = 0
DEFAULT_OUT = HERE.parent / "datasets_scripts" / "pitt_ads" / "sample"
SPLITS = ("train", "test")
KINDS = ("action", "reason", "adjective", "object", "statement")
EASY = 12
_CHOICE = re.compile(r"\{([^|{}]+)\|([^|{}]+)\}")

Ad = Mapping[str, Any]


def digest(*parts: object) -> str:
    """Hex sha256 of the parts joined by colons, the seed first."""
    return hashlib.sha256(":".join(str(part) for part in (SEED, *parts)).encode()).hexdigest()


def shuffled(texts: Sequence[str], *parts: object) -> list[str]:
    """The texts in an order drawn by the seed and the parts."""
    return sorted(texts, key=lambda text: digest(*parts, text))


def read_ads(path: Path) -> list[Ad]:
    """The ads' texts, each with the name of its picture, `subfolder/name`."""
    ads: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return [{**ad, "image": f"{i % 5}/{i + 1001}.png"} for i, ad in enumerate(ads)]


def say(text: str, other: bool = False) -> str:
    """A text with the first words of its choice, or with the other ones."""
    return _CHOICE.sub(lambda match: match[2 if other else 1], text)


def true_statements(ad: Ad) -> list[str]:
    """The three true statements."""
    return [f"{say(ad['action'])} {say(reason['true'])}." for reason in ad["reasons"]]


def negatives(ad: Ad, kind: str) -> list[str]:
    """The hard negatives of a kind, one a true statement."""
    action, made = say(ad["action"]), []
    for reason in ad["reasons"]:
        true = say(reason["true"])
        made.append(
            {
                "action": f"{ad['wrong_action']} {true}.",
                "reason": f"{action} {reason['wrong']}.",
                "adjective": f"{action} {say(reason['true'], other=True)}.",
                "object": f"{say(ad['action'], other=True)} {true}.",
                "statement": reason["other"],
            }[kind]
        )
    return made


def annotation_table(ads: Sequence[Ad]) -> bytes:
    """The table of annotators; the last column stands for those that nobody reads."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("image_url", "category", "first_explaination", "second_explanation", "annotator"))
    for ad in ads:
        for number, said in enumerate(ad["annotators"], 1):
            writer.writerow((ad["image"], *said, number))
    return text.getvalue().encode()


def easy(ad: Ad, ads: Sequence[Ad]) -> list[str]:
    """Twelve statements of other ads of the split, one of each."""
    others = sorted((other for other in ads if other is not ad), key=lambda other: digest(ad["image"], other["image"]))
    return [
        true_statements(other)[int(digest("which", ad["image"], other["image"]), 16) % 3] for other in others[:EASY]
    ]


def topics(ads: Sequence[Ad]) -> tuple[Any, str]:
    """The topics of the ads by number, and the list that says what the numbers mean."""
    names = sorted({ad["topic"] for ad in ads})
    numbers = {name: str(i) for i, name in enumerate(names, 1)}
    lines = [f'{i}. "Ads for {name}" (ABBREVIATION: "{name}")\r\n' for name, i in numbers.items()]
    return {ad["image"]: [numbers[ad["topic"]]] * 3 for ad in ads}, "".join(lines)


def write_json(file: Path, value: Any) -> None:
    """Write JSON with an image a line."""
    lines = [f"{json.dumps(key)}: {json.dumps(entry)}" for key, entry in value.items()]
    file.write_bytes(("{\n" + ",\n".join(lines) + "\n}\n").encode())


def make(out: Path, report: Callable[[str], object] = print) -> None:
    """Write the whole sample (but its README) into `out`."""
    ads = read_ads(HERE / "pitt_ads_sample_texts.json")
    for ad in ads:
        file = out / f"{ad['split']}_images" / ad["image"]
        file.parent.mkdir(parents=True, exist_ok=True)
        draw(ad["drawing"]).save(file, optimize=True)
    (out / "final_csv.csv").write_bytes(annotation_table(ads))
    for split in SPLITS:
        own = [ad for ad in ads if ad["split"] == split]
        pairs = {ad["image"]: true_statements(ad) for ad in own}
        published: dict[str, Any] = dict(pairs)
        if split == "train":  # the form of the challenge: true statements, then all options
            published = {
                ad["image"]: [pairs[ad["image"]], shuffled([*pairs[ad["image"]], *easy(ad, own)], ad["image"])]
                for ad in own
            }
        write_json(out / f"QA_Combined_Action_Reason_{split}.json", published)
        for kind in KINDS:
            hard = {
                ad["image"]: [
                    pairs[ad["image"]],
                    shuffled([*pairs[ad["image"]], *negatives(ad, kind)], kind, ad["image"]),
                ]
                for ad in own
            }
            write_json(out / f"{kind}_hard_QA_Combined_Action_Reason_{split}.json", hard)
    (out / "small.txt").write_bytes("".join(f"{ad['image']}\n" for ad in ads if ad["small"]).encode())
    by_image, names = topics(ads)
    write_json(out / "Topics.json", by_image)
    (out / "Topics_List.txt").write_bytes(b"\xff\xfe" + names.encode("utf-16-le"))
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    report(f"{len(ads)} ads, {size / 1e6:.2f} MB in {out}")


def main() -> None:
    """Parse the command line and make the sample."""
    parser = argparse.ArgumentParser(description="Make PittAds' sample.")
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT, help="folder to write (default: the repo's sample)")
    make(parser.parse_args().out)


if __name__ == "__main__":
    main()
