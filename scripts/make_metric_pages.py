"""Write each metric's `index.html` from its card, so that its folder can be pushed as it stands to a static Space.

The page needs nothing but itself: formulas become MathML, styles stand in the page. It names the card that it was
made of by a hash, which a test compares.

    pip install markdown-it-py latex2mathml
    python scripts/make_metric_pages.py
"""

from __future__ import annotations

import hashlib
import html
import re
from pathlib import Path

METRICS = Path(__file__).resolve().parent.parent / "metrics"
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
FORMULA = re.compile(r"\$\$(?P<block>.+?)\$\$|\$(?P<inline>[^$\n]+)\$", re.DOTALL)
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="{description}">
<meta name="card-sha256" content="{digest}">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark }}
body {{ font: 1rem/1.55 system-ui, sans-serif; max-width: 46rem; margin: 0 auto; padding: 1rem }}
h1, h2 {{ line-height: 1.2 }}
h1 {{ font-family: ui-monospace, monospace }}
pre, code {{ font-family: ui-monospace, monospace; font-size: .9em }}
pre {{ overflow: auto hidden; padding: .75rem; border: 1px solid; border-radius: .4rem }}
.formula {{ overflow: auto hidden; padding: .25rem 0; margin: .5rem 0 }}
</style>
</head>
<body>
{body}</body>
</html>
"""
USE = """## Use

A metric for the library [evaluate](https://github.com/huggingface/evaluate): `pip install punctum`, `import punctum`,
and `evaluate.load("{name}")`; or, with the owner of this page, `evaluate.load("OWNER/{name}")`.

"""


def page(name: str, card: str) -> str:
    """The page of one metric.

    Args:
        name: the metric.
        card: its README.md, with front matter.

    Raises:
        ValueError: if the card has no front matter with a title and a description.
    """
    from markdown_it import MarkdownIt

    match = re.match(r"---\n(.*?)\n---\n", card, flags=re.DOTALL)
    front = dict(re.findall(r"^(\w+): (.+)$", match[1], flags=re.MULTILINE)) if match else {}
    if match is None or not {"title", "description"} <= set(front):
        raise ValueError(f"the card of {name} has no front matter with title and description")
    text, formulas = without_formulas(
        card[match.end() :].replace("## Definition", USE.format(name=name) + "## Definition")
    )
    body: str = MarkdownIt("commonmark").enable("table").render(text)
    for place, formula in enumerate(formulas):
        body = body.replace(f"<p>@formula-{place}@</p>", formula).replace(f"@formula-{place}@", formula)
    return PAGE.format(
        title=html.escape(front["title"]),
        description=html.escape(front["description"]),
        digest=digest(card),
        body=body,
    )


def without_formulas(text: str) -> tuple[str, list[str]]:
    """The text with a mark for every formula outside of code, and the formulas as MathML."""
    formulas: list[str] = []

    def mark(match: re.Match[str]) -> str:
        formulas.append(mathml(match["block"] or match["inline"], block=match["block"] is not None))
        return f"@formula-{len(formulas) - 1}@"

    parts, end = [], 0
    for code in CODE.finditer(text):
        parts += [FORMULA.sub(mark, text[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*parts, FORMULA.sub(mark, text[end:])]), formulas


def mathml(formula: str, block: bool) -> str:
    """A formula in TeX as MathML."""
    from latex2mathml.converter import convert

    plain = re.sub(r"\\text\{[^}]*\}", lambda words: words[0].replace(r"\_", "_"), formula)  # the converter keeps \_
    found: str = convert(plain, display="block" if block else "inline")
    return f'<div class="formula">{found}</div>' if block else found


def digest(card: str) -> str:
    """What the page says of the card and of this script, from which it was made."""
    made_by = Path(__file__).read_text(encoding="utf-8")
    return hashlib.sha256(f"{card}\0{made_by}".encode()).hexdigest()


def main() -> None:
    """Write all pages."""
    for readme in sorted(METRICS.glob("*/README.md")):
        name = readme.parent.name
        (readme.parent / "index.html").write_text(page(name, readme.read_text(encoding="utf-8")), encoding="utf-8")
        print(name)


if __name__ == "__main__":
    main()
