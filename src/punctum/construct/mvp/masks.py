"""The geometry of the edits: which pixels may change, and where the subject goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from punctum.construct.mvp.boxes import Box
from punctum.construct.wants import Unusable
from punctum.datasets_scripts.option_rows import draw

#: True where a pixel belongs to the region, shape (height, width).
Mask = NDArray[np.bool_]
Pixels = NDArray[np.uint8]
_WITHIN = 0.9  # an object is part of the subject where this share of its box lies in the subject's
_EVERYTHING = 0.98  # a mask of more of the picture leaves no background
_SHIFT = 0.15  # of the picture's sides, at the most
_SCALES = (0.8, 1.2)
_LEAST_LEFT = 0.6  # of the subject must stay in the picture
_TRIES = 20


def of_box(box: Box, width: int, height: int) -> Mask:
    """The pixels of a box."""
    mask = np.zeros((height, width), dtype=np.bool_)
    mask[box.top : box.bottom, box.left : box.right] = True
    return mask


def component_mask(target: Box, subject: Box, width: int, height: int) -> Mask:
    """What a partial component substitution may change: the object's box, less the subject's.

    Where the object lies within the subject's box (clothes, a face, a thing in the hands) it is a part of the subject,
    and its own box may change.

    Raises:
        Unusable: if nothing is left, or the whole picture would change.
    """
    mask = of_box(target, width, height)
    if target.overlap(subject) < _WITHIN * target.area:
        mask &= ~of_box(subject, width, height)
    if not mask.any():
        raise Unusable("the object's box lies behind the subject's")
    if mask.mean() > _EVERYTHING:
        raise Unusable("the object's box covers the whole picture")
    return mask


def subject_mask(masks: Sequence[Mask], subject: Box, by: str = "area") -> Mask:
    """The mask with the largest overlap with the subject's box; of equal ones the smallest.

    Args:
        masks: of Segment Anything, each of the picture's shape.
        subject: the subject's box.
        by: `area`, the pixels that both have (the paper's), or `iou`, intersection over union.

    Raises:
        Unusable: if no mask overlaps the box, or those that do cover the whole picture.
    """
    best: tuple[float, float, int] | None = None
    for index, mask in enumerate(masks):
        area = int(mask.sum())
        if area == 0 or mask.mean() > _EVERYTHING:
            continue
        overlap = int(mask[subject.top : subject.bottom, subject.left : subject.right].sum())
        value = overlap / (area + subject.area - overlap) if by == "iou" else float(overlap)
        if overlap and (best is None or (value, -area) > best[:2]):
            best = value, -float(area), index
    if best is None:
        raise Unusable("no mask of the subject", f"{len(masks)} masks cover nothing of its box, or everything")
    return masks[best[2]]


@dataclass(frozen=True)
class Move:
    """How the subject is moved.

    Attributes:
        right, down: pixels.
        scale: of its size, about the middle of its box.
    """

    right: int = 0
    down: int = 0
    scale: float = 1.0


def drawn_move(mask: Mask, subject: Box, seed: int, name: str) -> Move:
    """A translation and a scale drawn by (seed, name) that leave most of the subject in the picture.

    Args:
        mask: the subject's.
        subject: its box.
        seed, name: of the draw.

    Returns:
        no move where none of 20 draws leaves 60 % of the subject in the picture.
    """
    generator = np.random.default_rng(int.from_bytes(draw(seed, name)[:8], "big"))
    height, width = mask.shape
    for _ in range(_TRIES):
        shift = generator.uniform(-_SHIFT, _SHIFT, size=2)
        scale = float(generator.uniform(*_SCALES))
        move = Move(round(float(shift[0]) * width), round(float(shift[1]) * height), round(scale, 3))
        if moved(mask, subject, move).sum() >= _LEAST_LEFT * mask.sum() * min(move.scale, 1.0) ** 2:
            return move
    return Move()


def moved(values: NDArray[Any], subject: Box, move: Move) -> NDArray[Any]:
    """A mask or picture after the move, by nearest pixels; what comes from outside is zero.

    Args:
        values: shape (height, width) or (height, width, channels).
        subject: the box about whose middle it is scaled.
        move: how.
    """
    height, width = values.shape[:2]
    middle_x, middle_y = (subject.left + subject.right) / 2, (subject.top + subject.bottom) / 2
    rows = np.floor((np.arange(height) + 0.5 - middle_y - move.down) / move.scale + middle_y).astype(int)
    columns = np.floor((np.arange(width) + 0.5 - middle_x - move.right) / move.scale + middle_x).astype(int)
    inside = ((rows >= 0) & (rows < height))[:, None] & ((columns >= 0) & (columns < width))[None, :]
    found: NDArray[Any] = values[np.clip(rows, 0, height - 1)[:, None], np.clip(columns, 0, width - 1)[None, :]].copy()
    found[~inside] = 0
    return found


def blanked(picture: Pixels, mask: Mask) -> Pixels:
    """The picture with the masked pixels blank (grey)."""
    found = picture.copy()
    found[mask] = 127
    return found


def composed(before: Pixels, after: Pixels, mask: Mask) -> Pixels:
    """What was generated within the mask; every other pixel as before, to the bit.

    Pipelines give back a picture that went through their autoencoder, which changes all pixels a little.
    """
    return np.where(mask[..., None], after, before)
