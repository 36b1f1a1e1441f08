"""Each metric's folder is a static Space as it stands: a card, a page made of it, the script and its helpers."""

from __future__ import annotations

import importlib.util
import re
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
NAMES = sorted(path.parent.name for path in (ROOT / "metrics").glob("*/README.md"))


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_metric_pages", ROOT / "scripts" / "make_metric_pages.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Reader(HTMLParser):
    """What a browser would make of a page: its text, its tags, and whether they close."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.links: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for key, value in attrs if key in ("src", "href")]
        if tag not in ("meta", "br", "hr", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


@pytest.mark.parametrize("name", NAMES)
def test_the_page_is_made_of_the_card(name: str, maker: ModuleType) -> None:
    card = (ROOT / "metrics" / name / "README.md").read_text(encoding="utf-8")
    page = (ROOT / "metrics" / name / "index.html").read_text(encoding="utf-8")
    assert f'content="{maker.digest(card)}"' in page, "run scripts/make_metric_pages.py"
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    text = plain(reader.text)
    headings = re.findall(r"^#+ (.+)$", card, flags=re.MULTILINE)
    assert reader.tags.count("h2") == len(headings)  # all but the name are of the second level, and one is added
    assert all(heading in text for heading in headings)
    [example] = re.findall(r"```python\n(.*?)```", card, flags=re.DOTALL)
    assert plain(example) in text
    formulas = re.findall(r"\$\$.+?\$\$|\$[^$\n]+\$", re.sub(r"```.*?```|`[^`\n]*`", "", card, flags=re.DOTALL))
    assert reader.tags.count("math") == len(formulas)
    assert "$" not in text and "@formula" not in text and "\\" not in text.replace(plain(example), "")
    assert reader.links == [link for link in reader.links if link.startswith("https://")]
    assert "script" not in reader.tags, "the page runs nothing"


@pytest.mark.parametrize("name", NAMES)
def test_the_pages_words_are_the_cards(name: str, maker: ModuleType) -> None:
    pytest.importorskip("markdown_it")
    pytest.importorskip("latex2mathml")
    card = (ROOT / "metrics" / name / "README.md").read_text(encoding="utf-8")
    stored = (ROOT / "metrics" / name / "index.html").read_text(encoding="utf-8")

    def words(page: str) -> str:  # another version of a converter may set formulas otherwise
        return plain(re.sub(r"<math.*?</math>", "", page, flags=re.DOTALL))

    assert words(maker.page(name, card)) == words(stored)


def test_a_card_without_front_matter_is_an_error(maker: ModuleType) -> None:
    with pytest.raises(ValueError, match="prec_at_k has no front matter"):
        maker.page("prec_at_k", "# prec_at_k\n")
