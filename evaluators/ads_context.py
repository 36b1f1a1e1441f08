"""What a model is told of an ad: the parts of the paper's contexts, and the stages that write them (Section 3.2).

WHOOPS! takes the same parts and prompts, but for the statements about two objects (`whoops.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import permutations
from typing import Any

from punctum import answers
from punctum.datasets_scripts.option_rows import draw
from punctum.datasets_scripts.pitt_ads.statements import RELATIONS, statement
from punctum.evaluators.base import Family, Stage
from punctum.evaluators.options import Options
from punctum.evaluators.reading import read_numbered
from punctum.records import Request, Sample

#: In the order in which they are shown.
PARTS = ("I", "V", "T", "IN", "UH", "T_V", "T_V-UH", "s_IN", "s_UH", "s_TV", "s_gt", "s_wrong")
#: Statements that a model chooses: from which text.
CHOSEN = {"s_IN": "IN", "s_UH": "UH", "s_TV": "T_V"}
#: Statements that the annotations give.
GIVEN = ("s_gt", "s_wrong")
DEFAULT, DEFAULT_TOLD = "I", "T_V+s_IN"

#: Whose temperature the paper prints (Section 4); LLaVA, BLIP-2, InternVL and InternLM ran in "the original setting".
FAMILIES = (
    Family("GPT", r"(?<!mini)gpt", {"temperature": 0.0}),
    Family("Vicuna", r"^(?!.*(llava|blip|minigpt)).*vicuna", {"temperature": 0.0}),
)

CONTEXT = "pitt_ads/context"
#: Whose wording of a prompt the paper gives; of all others there is one.
WORDED = {
    "vicuna": ("pitt_ads/mac", "pitt_ads/asr", "pitt_ads/arr", "pitt_ads/arr_single"),
    "minigpt4": ("pitt_ads/aor_image",),
    "blip": ("pitt_ads/aor_image",),
}
WORDINGS = ("gpt", *WORDED)
_ASKED = {
    "V": ("pitt_ads/objects", 64),
    "T": ("pitt_ads/scene_text", 128),
    "IN": ("pitt_ads/describe", 256),
    "UH": ("pitt_ads/unusual", 256),
}
_NEEDS: Mapping[str, tuple[str, ...]] = {
    "T_V": ("V", "T", "IN", "UH"),
    "T_V-UH": ("V", "T", "IN"),
    **{name: ("V", source) for name, source in CHOSEN.items()},
}
_MOST_OBJECTS = 5
_EXAMPLES = {"V": ", ".join(f"[object {n + 1} of {{id}}]" for n in range(_MOST_OBJECTS))}


def parse_context(text: str) -> tuple[str, ...]:
    """The parts of a context, in the order of `PARTS`.

    Args:
        text: parts joined by `+`, such as `I+T_V+s_IN`.

    Raises:
        ValueError: for an unknown part, one that comes twice, or two statements.
    """
    named = [part.strip() for part in text.split("+")]
    for part in named:
        if part not in PARTS:
            raise ValueError(f"context {text!r}: no part {part!r}; known: {', '.join(PARTS)}, joined by +")
        if named.count(part) > 1:
            raise ValueError(f"context {text!r}: {part} comes twice; at most one of each")
    statements = [part for part in named if part.startswith("s_")]
    if len(statements) > 1:
        raise ValueError(f"context {text!r}: {' and '.join(statements)} are two statements; one at the most")
    return tuple(part for part in PARTS if part in named)


def worded(name: str, options: Options) -> str:
    """The template in the wording that is asked for, where the paper has it."""
    wording = options.wording or WORDINGS[0]
    return f"{name}_{wording}" if name in WORDED.get(wording, ()) else name


def stages_for(parts: Sequence[str], options: Options) -> tuple[Stage, ...]:
    """What must be written before a question with this context: each once, in the order of their needs."""
    needed: set[str] = set()
    open_parts = [part for part in parts if part != "I" and part not in GIVEN]
    while open_parts:
        part = open_parts.pop()
        needed.add(part)
        open_parts += _NEEDS.get(part, ())
    return tuple(_stage(part, worded("pitt_ads/asr", options)) for part in PARTS if part in needed)


def _stage(part: str, state: str) -> Stage:
    if part in _ASKED:
        prompt, length = _ASKED[part]
        return Stage(part, "describe", partial(_look, prompt), (prompt,), length, example=_EXAMPLES.get(part))
    if part in CHOSEN:
        choose = partial(_choose, state, CHOSEN[part])
        return Stage(part, "state", choose, (state, CONTEXT), 32, _chosen, example="0")
    return Stage(part, "combine", partial(_combine, part == "T_V"), ("pitt_ads/combine",), 512)


def _look(prompt: str, sample: Sample, texts: Mapping[str, str], options: Options) -> Request:
    return Request(sample, options.prompts.render(prompt), sample.pictures, options.system)


def _combine(with_unusual: bool, sample: Sample, texts: Mapping[str, str], options: Options) -> Request:
    prompt = options.prompts.render(
        "pitt_ads/combine",
        objects=texts["V"],
        scene_text=texts["T"],
        description=texts["IN"],
        unusual=texts["UH"] if with_unusual else None,
    )
    return Request(sample, prompt, (), options.system)


def _choose(prompt: str, source: str, sample: Sample, texts: Mapping[str, str], options: Options) -> Request | None:
    """Which statement fits a description; nothing is asked where fewer than two objects were listed."""
    statements = possible_statements(texts["V"])
    if not statements:
        return None
    context = options.prompts.render(CONTEXT, **_fields({source: texts[source]})).strip()
    return Request(sample, options.prompts.render(prompt, context=context, options=statements), (), options.system)


def _chosen(words: str, texts: Mapping[str, str]) -> str | None:
    statements = possible_statements(texts["V"])
    value = read_numbered(words, statements, 1, 0).value
    return None if value is None else statements[value[0]]


def possible_statements(objects: str) -> list[str]:
    """All statements of two of the objects that a model listed: four relations, both orders, at most 5 objects."""
    listed = answers.parse_list(objects, limit=_MOST_OBJECTS).value or ()
    return [statement(relation, *pair) for pair in permutations(listed, 2) for relation in RELATIONS]


def context_texts(parts: Sequence[str], sample: Sample, texts: Mapping[str, str]) -> dict[str, str]:
    """What is told of the picture, by part."""
    shown = {part: texts.get(part, "") for part in parts if part != "I"}
    for part in GIVEN:
        if part in parts:
            shown[part] = str(sample.fields.get(part) or "")
    return shown


def context_text(parts: Sequence[str], sample: Sample, texts: Mapping[str, str], options: Options) -> str:
    """What the prompt tells of the picture; empty where only the picture is shown."""
    shown = context_texts(parts, sample, texts)
    return options.prompts.render(CONTEXT, **_fields(shown)).strip() if shown else ""


def _fields(shown: Mapping[str, str]) -> dict[str, object]:
    """The fields of the template; those that are not shown are empty."""
    names = {
        "objects": "V",
        "scene_text": "T",
        "description": "IN",
        "unusual": "UH",
        "combined": "T_V",
        "combined_without_unusual": "T_V-UH",
    }
    said = next((shown[part] for part in (*CHOSEN, *GIVEN) if shown.get(part)), "")
    return {**{name: shown.get(part, "") for name, part in names.items()}, "statement": said}


def wrong_statement(row: Mapping[str, Any], seed: int) -> str | None:
    """The gold objects in a relation that no annotator gave, drawn by (seed, id).

    Returns:
        None where the image has no objects, or all four relations were given.
    """
    others = [relation for relation in RELATIONS if relation not in row["labels"]]
    if row["statement"] is None or not others:
        return None
    drawn = int.from_bytes(draw(seed, str(row["id"])), "big") % len(others)
    return statement(others[drawn], row["primary"], row["secondary"])
