"""The pipeline: each step for all scenes that have come so far."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from punctum.construct.vague import checks
from punctum.construct.vague.choosing import choose, read_chosen, read_synonyms
from punctum.construct.vague.rows import CANDIDATES, PICTURES, ROWS, candidate_line, picture_name, row_of
from punctum.construct.vague.scenes import Scene, read_scenes
from punctum.construct.wants import Want
from punctum.construct.words import paragraph
from punctum.construct.workshop import Workshop
from punctum.records import Response

_LONG, _THREE, _SHORT = 256, 320, 96  # tokens: complaint, triplet and caption; three pairs; one sentence


@dataclass
class Draft:
    """A scene with what was written about it so far.

    Attributes:
        texts: by step.
        style: which of the indirect versions was chosen.
        rating: of `direct` and `indirect`, where people have rated.
    """

    scene: Scene
    texts: dict[str, Any] = field(default_factory=dict)
    style: str = ""
    rating: Mapping[str, float] = field(default_factory=dict)

    @property
    def solution(self) -> Mapping[str, str]:
        """Direct complaint, person, action, object, caption."""
        found: Mapping[str, str] = self.texts["direct"]
        return found

    @property
    def person(self) -> str:
        """Who is addressed."""
        return self.solution["person"]

    @property
    def indirect(self) -> str:
        """The chosen utterance."""
        return str(self.texts["indirect"][self.style]["indirect"])

    @property
    def superficial(self) -> str:
        """What it says, taken at its word."""
        return str(self.texts["indirect"][self.style]["superficial"])

    @property
    def others(self) -> list[str]:
        """The options so far."""
        names = [name for name in ("correct", "fake_scene") if name in self.texts]
        return [*(self.texts[name] for name in names), *([self.superficial] if self.style else [])]


def make(args: argparse.Namespace, workshop: Workshop) -> int:
    """Ask step by step, check, write the files.

    Raises:
        ValueError: if the files given cannot be used.
        DataError: if the scenes cannot be read at all.
    """
    chosen = [read_chosen(Path(file).expanduser()) for file in args.chosen]
    if chosen and args.candidates:
        raise ValueError("--candidates stops before anything is chosen; leave --chosen out")
    scenes_file = Path(args.scenes).expanduser()
    if args.out and scenes_file.suffix == ".json" and scenes_file.resolve().parent == Path(args.out).resolve():
        raise ValueError(f"{scenes_file} lies in --out, where the builder would take it for rows; name another folder")
    synonyms = read_synonyms(Path(args.synonyms).expanduser()) if args.synonyms else {}
    workshop.claim([CANDIDATES] if args.candidates else [ROWS, CANDIDATES], [PICTURES])
    pictures = Path(args.pictures).expanduser() if args.pictures else None
    scenes = read_scenes(scenes_file, pictures, args.min_entities, workshop)
    drafts = [Draft(scene) for scene in islice(scenes, args.limit)]
    drafts = _candidates(drafts, synonyms, args.look_with, workshop)
    choose(drafts, chosen, workshop)
    finished = [] if args.candidates else _options([d for d in drafts if d.style], args.look_with, workshop)
    if workshop.dry_run:
        return workshop.finish()
    workshop.outputs.lines(CANDIDATES, map(candidate_line, drafts))
    for draft in drafts if args.candidates else finished:
        workshop.outputs.data(picture_name(draft.scene), draft.scene.picture.read())
    if not args.candidates:
        workshop.outputs.json(ROWS, [row_of(draft, workshop.seed) for draft in finished])
    return workshop.finish(made=len(drafts if args.candidates else finished))


def _candidates(
    drafts: Sequence[Draft], synonyms: Mapping[str, Sequence[str]], look_with: str | None, workshop: Workshop
) -> list[Draft]:
    """Direct complaint, right reading, three indirect versions."""
    kept = _step(drafts, "direct", _direct, workshop, _LONG, look_with)
    kept = _step(kept, "correct", _correct, workshop, _SHORT)
    return _step(kept, "indirect", partial(_indirect, synonyms), workshop, _THREE)


def _options(drafts: Sequence[Draft], look_with: str | None, workshop: Workshop) -> list[Draft]:
    """Fake scene and nonexistent entity, for the chosen version."""
    kept = _step(drafts, "fake_caption", _fake_caption, workshop, _SHORT)
    kept = _step(kept, "fake_scene", _fake_scene, workshop, _SHORT)
    return _step(kept, "nonexistent_entity", _nonexistent, workshop, _SHORT, look_with)


def _step(
    drafts: Sequence[Draft],
    name: str,
    want: Callable[[Draft], Want],
    workshop: Workshop,
    max_new_tokens: int,
    model: str | None = None,
) -> list[Draft]:
    """Ask for one text of each draft; gives the drafts that have it, the others are listed."""
    values = workshop.ask([want(draft) for draft in drafts], max_new_tokens, model)
    kept = []
    for draft, value in zip(drafts, values, strict=True):
        if value is not None:
            draft.texts[name] = value
            kept.append(draft)
    return kept


def _direct(draft: Draft) -> Want:
    scene = draft.scene
    example = {"direct": f"Hey, person1, [a complaint about {scene.id}]", "person": "person1", "action": "[action]"}
    return Want(
        scene.id,
        "direct",
        "construct/vague/direct",
        {"entities": scene.entities},
        partial(checks.read_direct, entities=scene.entities, people=len(scene.boxes)),
        {**example, "object": scene.entities[0] if scene.entities else "[object]", "caption": "[a caption]"},
        (scene.picture,),
    )


def _correct(draft: Draft) -> Want:
    solution = draft.solution
    return Want(
        draft.scene.id,
        "correct",
        "construct/vague/correct",
        {"p": draft.person, **{name: solution[name] for name in ("direct", "action", "object")}},
        partial(checks.read_correct, person=draft.person, thing=solution["object"]),
        f"The speaker wants {draft.person} to [what is right in {draft.scene.id}]",
    )


def _indirect(synonyms: Mapping[str, Sequence[str]], draft: Draft) -> Want:
    solution, correct = draft.solution, draft.texts["correct"]
    reader = checks.Indirect(solution, correct, synonyms)
    pair = {
        "indirect": f"Hey {draft.person}, [an utterance]",
        "superficial": f"The speaker wants {draft.person} to […]",
    }
    names = ("direct", "action", "object", "caption")
    number = draft.person.removeprefix("person")
    return Want(
        draft.scene.id,
        "indirect",
        "construct/vague/indirect",
        {"correct": correct, "number": number, **{name: solution[name] for name in names}},
        reader.read,
        dict.fromkeys(checks.STYLES, pair),
        otherwise=reader.at_last,
    )


def _fake_caption(draft: Draft) -> Want:
    thing = draft.solution["object"]

    def read(response: Response) -> Any:
        return checks.read_fake_caption(paragraph(response), thing)

    return Want(
        draft.scene.id,
        "fake_caption",
        "construct/vague/fake_caption",
        {"p": draft.person, "indirect": draft.indirect, "correct": draft.texts["correct"], "object": thing},
        read,
        f"[another scene than {draft.scene.id}]",
    )


def _fake_scene(draft: Draft) -> Want:
    caption = draft.texts["fake_caption"]
    return Want(
        draft.scene.id,
        "fake_scene",
        "construct/vague/fake_scene",
        {"p": draft.person, "indirect": draft.indirect, "answer": draft.texts["correct"], "fake_caption": caption},
        partial(
            checks.read_fake_scene,
            person=draft.person,
            solution=draft.solution,
            caption=caption,
            others=draft.others,
        ),
        f"The speaker wants {draft.person} to [what fits another scene]",
    )


def _nonexistent(draft: Draft) -> Want:
    correct = draft.texts["correct"]
    return Want(
        draft.scene.id,
        "nonexistent_entity",
        "construct/vague/nonexistent_entity",
        {"indirect": draft.indirect, "correct": correct},
        partial(
            checks.read_nonexistent,
            person=draft.person,
            entities=draft.scene.entities,
            correct=correct,
            others=draft.others,
        ),
        f"The speaker wants {draft.person} to [use what is not there]",
        (draft.scene.picture,),
    )
