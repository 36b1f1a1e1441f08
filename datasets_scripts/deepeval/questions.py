"""DeepEval's published questions: one JSON line to one row."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from punctum.datasets_scripts.equal_options import count_equal
from punctum.datasets_scripts.mcq import letter
from punctum.datasets_scripts.reading import Line, Report, csv_lines, json_lines

ANNOTATIONS = "Annotation.json"
QUESTIONS = {
    "description": "Descripion_Questions.json",  # spelt so
    "title": "Title_Questions.json",
    "deep_semantics": "DeepSemantics_Questions.json",
}
FIELDS = {"description": "Description", "title": "Title", "deep_semantics": "Deep_Semantics"}
CATEGORIES = ("humorous", "critical", "touching", "philosophical", "inspiring", "satirical")
LABELS = ("category", "with_text", "theme", "image_type")
_YES, _NO = frozenset({"1", "true", "yes", "y"}), frozenset({"0", "false", "no", "n"})


class Annotations:
    """The annotations of `Annotation.json`, read again from the file when one is needed.

    Only the places of the lines are kept, so memory stays small however long the texts are.

    Raises:
        DataError: if an `Image_ID` comes twice.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._places: dict[str, tuple[int, int]] = {}
        for line in json_lines(file):
            name = line.text("Image_ID")
            if name in self._places:
                raise line.error(f"the Image_ID {name} was there before, on line {self._places[name][1]}")
            self._places[name] = (line.offset, line.number)

    def get(self, name: str) -> dict[str, str] | None:
        """Description, title and deep semantics by config name, or None if the image has no annotation."""
        if name not in self._places:
            return None
        (line,) = json_lines(self._file, *self._places[name], count=1)
        return {config: line.text(published) for config, published in FIELDS.items()}


def read_labels(file: Path, report: Report) -> dict[str, dict[str, Any]]:
    """Read the user's labels: a CSV with `Image_ID` and any of `category, with_text, theme, image_type`.

    Returns:
        `Image_ID` to label to value; an empty cell is None, `with_text` a truth value.

    Raises:
        DataError: if `Image_ID` is missing, empty or there twice, or `with_text` is neither yes nor no.
    """
    labels: dict[str, dict[str, Any]] = {}
    for line in csv_lines(file, ["Image_ID"]):
        name = line.text("Image_ID")
        if name in labels:
            raise line.error(f"the Image_ID {name} was there before")
        row: dict[str, Any] = {label: line.data.get(label) or None for label in LABELS}
        if row["with_text"] is not None:
            word = row["with_text"].lower()
            if word not in _YES | _NO:
                raise line.error(f"with_text {row['with_text']!r} is neither yes nor no (1/0, true/false)")
            row["with_text"] = word in _YES
        if row["category"] is not None and row["category"] not in CATEGORIES:
            report.add("category labels that are none of the paper's six", f"{name} {row['category']}")
        labels[name] = row
    return labels


def choice_row(line: Line, config: str, strip: bool, report: Report | None) -> dict[str, Any]:
    """A question's row, without picture, annotations and labels.

    Args:
        line: of a question file.
        config: `description`, `title` or `deep_semantics`.
        strip: take blanks around options away. In the description questions they give the answer away.
        report: where to count options that equal each other.

    Raises:
        DataError: if the options are not lettered A, B, C, …, the answer is none of them, or a prompt has not
            one `{}` an option.
    """
    row_id = line.text("Image_ID")
    published = line.get("Options", dict)
    letters = [letter(i) for i in range(len(published))]
    if len(letters) < 2 or sorted(published) != sorted(letters):
        raise line.error(f"{row_id}: the options are lettered {', '.join(published)}, not A, B, C, …")
    for name in letters:
        if not isinstance(published[name], str) or not published[name].strip():
            raise line.error(f"{row_id}: option {name} is {published[name]!r}, not a text")
    answer = line.text("Answer").strip()
    if answer not in letters:
        raise line.error(f"{row_id}: the answer {answer!r} is outside the options {', '.join(letters)}")
    prompts = [line.text(f"Prompt_{slot}") for slot in (1, 2, 3)]
    for slot, prompt in enumerate(prompts, 1):
        if prompt.count("{}") != len(letters):
            raise line.error(f"{row_id}: Prompt_{slot} has {prompt.count('{}')} places {{}} for {len(letters)} options")
    options = [published[name] for name in letters]
    if report is not None:
        count_equal(row_id, options, report)
    gold = letters.index(answer)
    return {
        "id": row_id,
        "source": line.file.name,
        "question": prompts[0].split("\n")[0].strip().rsplit(". ", 1)[-1],
        "options": [option.strip() for option in options] if strip else options,
        "option_kinds": ["correct" if i == gold else "distractor" for i in range(len(options))],
        "answers": [gold],
        "permutation": list(range(len(options))),
        "group": row_id,
        "rotation": None,
        "prompts": prompts,
        "url": line.text("Url").strip(),
    }


def compare_gold(line: Line, config: str, annotation: Mapping[str, str] | None, report: Report) -> None:
    """Count questions without annotation, and gold options that are not the annotation's bytes."""
    row_id = line.text("Image_ID")
    if annotation is None:
        report.add("questions without annotation", row_id)
    elif line.data["Options"][line.text("Answer").strip()] != annotation[config]:
        report.add("gold options that differ from the annotation", row_id)
