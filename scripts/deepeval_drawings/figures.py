"""The cast that several cartoons share: people, trees, clouds, speech and small signs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from .canvas import BLUE, BROWN, DARK_GREEN, GREEN, INK, NIGHT, SKIN, WHITE, WOOD, Canvas, Point, arc_points

Mood = Literal["smile", "sad", "flat", "open", "asleep", "worried", "grieving"]
Hair = Literal["short", "long", "bun", "bald", "none"]


@dataclass(frozen=True)
class Look:
    """How a person is dressed."""

    shirt: str = BLUE
    trousers: str = NIGHT
    skin: str = SKIN
    hair: str = "#5b3a29"
    style: Hair = "short"
    shoes: str = INK


@dataclass(frozen=True)
class Pose:
    """Where hands, feet and hip are, from the point between the feet, in units of 1/100 of the height.

    Elbows and knees may be given; without them limbs are straight.
    """

    left_hand: Point = (-23, -36)
    right_hand: Point = (23, -36)
    left_foot: Point = (-9, 0)
    right_foot: Point = (9, 0)
    hip: Point = (0, -32)
    shoulder: Point = (0, -60)
    head: Point = (0, -80)
    left_elbow: Point | None = None
    right_elbow: Point | None = None
    left_knee: Point | None = None
    right_knee: Point | None = None


def face(c: Canvas, x: float, y: float, r: float, mood: Mood = "smile", gaze: Point = (0, 0)) -> None:
    """Two eyes and a mouth on a head of radius `r`; `gaze` moves them, in parts of `r`."""
    ex, ey = x + gaze[0] * r, y + gaze[1] * r
    for side in (-1, 1):
        px, py = ex + side * 0.36 * r, ey - 0.08 * r
        if mood in ("asleep", "grieving"):
            c.arc(px, py, 0.17 * r, 0.14 * r, 10, 170, width=1.8)
        else:
            c.oval(px, py, 0.11 * r, 0.15 * r, fill=INK, outline=None)
        if mood == "worried":
            c.line([(px - side * 0.16 * r, py - 0.42 * r), (px + side * 0.16 * r, py - 0.3 * r)], width=1.6)
    my = ey + 0.38 * r
    if mood in ("smile", "asleep"):
        c.arc(ex, my - 0.1 * r, 0.34 * r, 0.28 * r, 20, 160, width=2)
    elif mood in ("sad", "worried", "grieving"):
        c.arc(ex, my + 0.28 * r, 0.3 * r, 0.24 * r, 205, 335, width=2)
    elif mood == "open":
        c.oval(ex, my + 0.1 * r, 0.2 * r, 0.26 * r, fill="#8c2f2a", width=1.6)
    else:
        c.line([(ex - 0.25 * r, my + 0.05 * r), (ex + 0.25 * r, my + 0.05 * r)], width=2)


def head(c: Canvas, x: float, y: float, r: float, look: Look, mood: Mood = "smile", gaze: Point = (0, 0)) -> None:
    """A head with hair and face."""
    if look.style == "long":
        c.blob(
            [
                (x - 1.15 * r, y - 0.2 * r),
                (x, y - 1.25 * r),
                (x + 1.15 * r, y - 0.2 * r),
                (x + 1.1 * r, y + 1.2 * r),
                (x, y + 0.9 * r),
                (x - 1.1 * r, y + 1.2 * r),
            ],
            look.hair,
        )
    elif look.style == "bun":
        c.oval(x, y - 1.15 * r, 0.5 * r, fill=look.hair)
    c.oval(x, y, r, fill=look.skin)
    if look.style in ("short", "long", "bun"):
        low = 195 if look.style == "short" else 208
        fringe = arc_points(x, y - (0.32 if look.style == "short" else 0.5) * r, 0.88 * r, 0.22 * r, 0, -180)
        c.poly(arc_points(x, y, r, r, low, 540 - low) + fringe, look.hair)
    elif look.style == "bald":
        for side in (-1, 1):
            c.oval(x + side * 0.98 * r, y - 0.1 * r, 0.26 * r, 0.36 * r, fill=look.hair, width=2)
    face(c, x, y + 0.12 * r, r, mood, gaze)


def person(
    c: Canvas,
    x: float,
    y: float,
    height: float = 100,
    look: Look | None = None,
    pose: Pose | None = None,
    mood: Mood = "smile",
    gaze: Point = (0, 0),
    flip: bool = False,
) -> None:
    """A person standing (or whatever the pose says) with the feet about (x, y)."""
    look, pose = look or Look(), pose or Pose()
    s = height / 100
    mirror = -1 if flip else 1

    def at(p: Point) -> Point:
        return (x + mirror * p[0] * s, y + p[1] * s)

    def joints(*points: Point | None) -> list[Point]:
        return [at(p) for p in points if p is not None]

    hx, hy = pose.hip
    for knee, foot, side in ((pose.left_knee, pose.left_foot, -1), (pose.right_knee, pose.right_foot, 1)):
        c.limb(joints((hx + side * 4, hy), knee, foot), look.trousers, 8 * s, 2.2)
        fx, fy = at(foot)
        c.oval(fx + mirror * 2 * s, fy, 7.5 * s, 4.5 * s, fill=look.shoes, width=2)
    sx, sy = pose.shoulder
    c.limb(joints((sx - 9, sy + 3), pose.left_elbow, pose.left_hand), look.shirt, 7 * s, 2.2)
    c.limb(joints((sx, sy + 6), (hx, hy - 2)), look.shirt, 22 * s, 2.5)
    c.limb(joints((sx + 9, sy + 3), pose.right_elbow, pose.right_hand), look.shirt, 7 * s, 2.2)
    for hand in (pose.left_hand, pose.right_hand):
        px, py = at(hand)
        c.oval(px, py, 5 * s, fill=look.skin, width=2)
    px, py = at(pose.head)
    head(c, px, py, 18 * s, look, mood, (mirror * gaze[0], gaze[1]))


def cloud(c: Canvas, x: float, y: float, s: float = 1, fill: str = WHITE, outline: str | None = None) -> None:
    """A cloud about 60 pixels wide times `s`."""
    parts = [(-18, 4, 14), (0, -4, 18), (18, 4, 13)]
    if outline is not None:
        for dx, dy, r in parts:
            c.oval(x + dx * s, y + dy * s, r * s + 2.5, fill=outline, outline=None)
    for dx, dy, r in parts:
        c.oval(x + dx * s, y + dy * s, r * s, fill=fill, outline=None)


def tree(c: Canvas, x: float, y: float, s: float = 1, leaves: str = GREEN) -> None:
    """A tree standing on (x, y), about 100 pixels high times `s`."""
    c.rect((x - 7 * s, y - 45 * s, x + 7 * s, y), BROWN)
    c.blob(
        [
            (x - 34 * s, y - 55 * s),
            (x - 26 * s, y - 88 * s),
            (x, y - 104 * s),
            (x + 26 * s, y - 88 * s),
            (x + 34 * s, y - 55 * s),
            (x, y - 40 * s),
        ],
        leaves,
    )


def sprout(c: Canvas, x: float, y: float, s: float = 1, flower: str | None = None) -> None:
    """A small plant with two leaves, growing from (x, y), with a flower if a colour is given."""
    c.curve([(x, y), (x + 2 * s, y - 20 * s), (x, y - 42 * s)], DARK_GREEN, 4 * s)
    for side, base in ((-1, -14), (1, -22)):
        c.blob(
            [
                (x, y + base * s),
                (x + side * 12 * s, y + (base - 12) * s),
                (x + side * 24 * s, y + (base - 10) * s),
                (x + side * 14 * s, y + (base + 1) * s),
            ],
            GREEN,
            width=2.5,
        )
    if flower is not None:
        for dx, dy in ((0, -10), (9, -3), (6, 8), (-6, 8), (-9, -3)):
            c.oval(x + dx * s, y + (dy - 48) * s, 6.5 * s, fill=flower, width=2)
        c.oval(x, y - 48 * s, 5 * s, fill="#f5d76e", width=2)


def board(c: Canvas, x: float, y: float, words: str, width: float, size: float = 15, post: float = 0) -> None:
    """A wooden sign centred on (x, y), on a post that is `post` pixels long."""
    h = size * (1.4 * (words.count("\n") + 1) + 0.5)
    if post:
        c.rect((x - 4, y, x + 4, y + h / 2 + post), WOOD)
    c.rect((x - width / 2, y - h / 2, x + width / 2, y + h / 2), WOOD, radius=4)
    c.text(x, y, words, size)


def heart(c: Canvas, x: float, y: float, s: float, fill: str, outline: str | None = INK, width: float = 2) -> None:
    """A heart about 2 `s` wide."""
    points: list[Point] = []
    for i in range(48):
        t = 2 * math.pi * i / 48
        dy = -(13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t)) / 16
        points.append((x + s * math.sin(t) ** 3, y + s * dy))
    c.poly(points, fill, outline, width)


def star(c: Canvas, x: float, y: float, r: float, fill: str, width: float = 3) -> None:
    """A five-pointed star."""
    points: list[Point] = []
    for i in range(10):
        angle, reach = math.radians(-90 + 36 * i), r if i % 2 == 0 else 0.45 * r
        points.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
    c.poly(points, fill, width=width)
