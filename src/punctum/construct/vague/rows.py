"""VAGUE's raw rows, and the lines that people rate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from punctum.construct.vague.scenes import Scene
from punctum.datasets_scripts.mcq import draw_order, letter

if TYPE_CHECKING:
    from punctum.construct.vague.making import Draft

ROWS, CANDIDATES, PICTURES = "vague.json", "candidates.jsonl", "pictures"


def picture_name(scene: Scene) -> str:
    """Where the tagged picture of a scene goes: named as the builder looks for it."""
    suffix = Path(str(scene.picture.path)).suffix.lower()
    return f"{PICTURES}/{scene.id}_annot{'.jpg' if suffix in ('.jpg', '.jpeg', '.jfif') else '.png'}"


def candidate_line(draft: Draft) -> dict[str, Any]:
    """An item for `punctum construct ratings`, to rate the complaint, and to choose a version and rate it."""
    solution, versions = draft.solution, draft.texts["indirect"]
    return {
        "id": draft.scene.id,
        "image": picture_name(draft.scene),
        "direct": solution["direct"],
        "triplet": [solution[name] for name in ("person", "action", "object")],
        **{style: version["indirect"] for style, version in versions.items()},
        "superficial": {style: version["superficial"] for style, version in versions.items()},
        "caption": solution["caption"],
        "correct": draft.texts["correct"],
    }


def row_of(draft: Draft, seed: int) -> dict[str, Any]:
    """A row as VAGUE releases it.

    Args:
        draft: with all its texts.
        seed: of the order in which the options are shown, which sha256 of "seed:id" draws.
    """
    scene, solution = draft.scene, draft.solution
    meta: dict[str, Any] = {
        "caption": solution["caption"],
        "ram_entity": list(scene.entities),
        "img_size": {"width": scene.size[0], "height": scene.size[1]},
        "person_bbox": [list(box) for box in scene.boxes],
        "fake_caption": draft.texts["fake_caption"],
    }
    if {"direct", "indirect"} <= set(draft.rating):  # the builder wants both or none
        meta["rating"] = dict(draft.rating)
    return {
        "image_name": scene.id,
        "direct": solution["direct"],
        "indirect": draft.indirect,
        "solution": f"({solution['person']}, {solution['action']}, {solution['object']})",
        "mcq": {
            "1_correct": draft.texts["correct"],
            "2_fake_scene": draft.texts["fake_scene"],
            "3_surface_understanding": draft.superficial,
            "4_wrong_entity": draft.texts["nonexistent_entity"],
            "ordering": ordering(scene.id, seed),
        },
        "meta": meta,
    }


def ordering(row_id: str, seed: int) -> list[str]:
    """`ordering[i]` is the letter under which the i-th of the four texts is shown."""
    shown = draw_order(4, seed, row_id)
    return [letter(shown.index(text)) for text in range(4)]
