"""Things and beasts that several drawings share."""

from __future__ import annotations

from scripts.deepeval_drawings.canvas import INK, WHITE, YELLOW, Canvas, Point, arc_points

ORANGE = "#f08a24"


def ground(c: Canvas, sky: str, earth: str, horizon: float = 210) -> None:
    """Sky and earth."""
    c.rect((0, 0, 320, horizon), sky, None)
    c.rect((0, horizon, 320, 320), earth, None)


def sun(c: Canvas, x: float, y: float, r: float = 24) -> None:
    """The sun with rays."""
    inner, outer = (arc_points(x, y, k * r, k * r, 0, 360)[::9] for k in (1.3, 1.7))
    for ends in zip(inner, outer, strict=True):
        c.line(ends, "#f0a020", 4)
    c.oval(x, y, r, fill="#ffd84d", width=2)


def flame(c: Canvas, x: float, y: float, s: float = 1) -> None:
    """A flame that stands on (x, y), 40 pixels high times `s`."""
    outer = [(x, y - 40 * s), (x + 12 * s, y - 18 * s), (x + 8 * s, y), (x - 8 * s, y), (x - 12 * s, y - 18 * s)]
    c.blob(outer, ORANGE, "#c8441b", 2)
    c.blob([(x, y - 24 * s), (x + 6 * s, y - 10 * s), (x, y - 2 * s), (x - 6 * s, y - 10 * s)], YELLOW, None)


def fish(c: Canvas, x: float, y: float, s: float = 1, fill: str = ORANGE, left: bool = True) -> None:
    """A fish about 80 pixels long times `s`."""
    d = -1 if left else 1
    c.poly([(x - d * 28 * s, y), (x - d * 52 * s, y - 20 * s), (x - d * 52 * s, y + 20 * s)], fill, width=2.5)
    c.oval(x, y, 36 * s, 22 * s, fill=fill)
    c.blob([(x - 8 * s, y - 20 * s), (x + 4 * s, y - 34 * s), (x + 14 * s, y - 18 * s)], fill, width=2.5)
    c.oval(x + d * 20 * s, y - 5 * s, 6 * s, fill=WHITE, width=2)
    c.oval(x + d * 22 * s, y - 5 * s, 2.5 * s, fill=INK, outline=None)
    c.arc(x + d * 30 * s, y + 6 * s, 8 * s, 6 * s, 40, 150, width=2)


def wheel(c: Canvas, x: float, y: float, r: float) -> None:
    """A bicycle's wheel."""
    c.oval(x, y, r, fill=None, outline=INK, width=4)
    for spoke in arc_points(x, y, r, r, 0, 360)[::12]:
        c.line([(x, y), spoke], "#9aa3ad", 1.2)
    c.oval(x, y, 4, fill=INK)


def bird(c: Canvas, x: float, y: float, s: float = 1, fill: str = "#4a7fb5") -> None:
    """A small bird that looks to the right."""
    body = ((-26, 0), (-8, -16), (14, -12), (16, 12), (-8, 16))
    c.blob([(x + px * s, y + py * s) for px, py in body], fill, width=2.5)
    c.oval(x + 16 * s, y - 14 * s, 12 * s, fill=fill, width=2.5)
    c.poly([(x + 26 * s, y - 16 * s), (x + 40 * s, y - 12 * s), (x + 26 * s, y - 8 * s)], YELLOW, width=2)
    c.oval(x + 19 * s, y - 17 * s, 2.5 * s, fill=INK, outline=None)
    c.blob([(x - 12 * s, y - 6 * s), (x + 6 * s, y - 4 * s), (x - 6 * s, y + 8 * s)], "#35608c", width=2)


def beast(c: Canvas, x: float, y: float, s: float, fill: str, kind: str, left: bool = True) -> None:
    """A dog, a horse, a mouse or a cat that walks, its feet on y; about 120 pixels long times `s`."""
    d = -1 if left else 1
    legs = {"horse": 62, "dog": 40, "cat": 36, "mouse": 16}[kind] * s

    def at(px: float, py: float) -> Point:
        return x + d * px * s, y - legs - py * s

    for px in (-34, -22, 24, 36):
        c.limb([at(px, 8), (x + d * (px + 2) * s, y - 4)], fill, 9 * s, 2)
    tails = {
        "horse": [(-44, 30), (-66, 20), (-62, -20)],
        "dog": [(-44, 30), (-64, 46), (-66, 62)],
        "cat": [(-44, 26), (-72, 40), (-68, 72)],
        "mouse": [(-44, 8), (-80, -8), (-108, 6)],
    }
    c.curve([at(*p) for p in tails[kind]], INK, {"horse": 10, "dog": 8, "cat": 9, "mouse": 4}[kind] * s)
    c.blob([at(-48, 16), at(-40, 36), at(0, 40), at(40, 36), at(48, 14), at(34, 0), at(-34, 0)], fill)
    ears: tuple[tuple[Point, ...], ...] = ()
    if kind == "horse":
        c.blob([at(28, 30), at(52, 76), at(62, 74), at(54, 20)], fill)
        c.blob([at(48, 88), at(62, 90), at(92, 66), at(88, 54), at(60, 66)], fill)
        c.curve([at(34, 44), at(44, 70), at(54, 90)], INK, 8 * s)
        head, ears = (64, 78), (((54, 88), (58, 104), (64, 88)),)
    else:
        r = 22 if kind != "mouse" else 18
        hx, hy = (54, 46) if kind != "mouse" else (54, 20)
        c.oval(*at(hx, hy), r * s, fill=fill)
        if kind == "dog":
            c.blob([at(70, 44), at(88, 42), at(88, 32), at(70, 30)], fill, width=2.5)
            c.oval(*at(88, 41), 5 * s, fill=INK, outline=None)
            ears = (((40, 60), (34, 30), (46, 40)),)
        elif kind == "cat":
            ears = (((36, 58), (40, 82), (52, 66)), ((56, 66), (68, 82), (72, 58)))
        else:
            c.oval(*at(72, 16), 4 * s, fill=INK, outline=None)
            for ex in (42, 58):
                c.oval(*at(ex, 42), 11 * s, fill="#e7b3b3", width=2)
        head = (hx + 6, hy + 2)
    for ear in ears:
        c.poly([at(*p) for p in ear], fill if kind != "dog" else "#6b4226", width=2.5)
    c.oval(*at(head[0] + 4, head[1] + 2), 5 * s, fill=WHITE, outline=None)
    c.oval(*at(head[0] + 5, head[1] + 2), 3 * s, fill=INK, outline=None)
