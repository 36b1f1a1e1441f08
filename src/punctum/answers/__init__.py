"""Reading what models write: choices, yes or no, indices, labels, objects, lists, texts.

Each parser takes a model's output as it came and gives a `Parsed`. The default, `robust`, reads as a careful
person would and leaves unread what is not certain; the others repeat published extractions (`PARSERS`).
"""

from .choice import parse_choice
from .indices import parse_indices
from .labels import parse_labels
from .lists import parse_list
from .objects import parse_objects
from .parsed import PARSERS, Parsed, letter
from .texts import parse_text
from .yes_no import parse_yes_no

__all__ = [
    "PARSERS",
    "Parsed",
    "letter",
    "parse_choice",
    "parse_indices",
    "parse_labels",
    "parse_list",
    "parse_objects",
    "parse_text",
    "parse_yes_no",
]
