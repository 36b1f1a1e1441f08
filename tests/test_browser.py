"""The browser that other tests use: it clicks, types, and tells of everything that goes wrong on a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser import Browser, BrowserError

PAGE = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>t</title>
<meta name="viewport" content="width=device-width">
<h1 id="head">none</h1><button id="b">go</button><input id="i"><select id="s"><option value="1">1<option value="2">2
</select><div style="position:relative"><a id="under" href="#x">under</a>
<div style="position:absolute;inset:0"></div></div><a id="save" download="a.txt" href="data:text/plain,saved">save</a>
<script src="page.js"></script></html>"""
SCRIPT = """document.getElementById("b").onclick = event => { head.textContent = event.isTrusted ? "real" : "made"; };
document.getElementById("s").onchange = event => { head.textContent = "chosen " + event.target.value; };
document.onkeydown = event => { document.title += " " + event.key; };"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "page.html").write_text(PAGE)
    (tmp_path / "page.js").write_text(SCRIPT)
    return tmp_path


def test_it_clicks_types_chooses_and_goes_back(browser: Browser, folder: Path) -> None:
    page = browser.page(width=400, height=300, dark=True, phone=True)
    page.open(folder / "page.html")
    page.click("#b")
    page.wait("head.textContent === 'real'")
    page.type("aß?", into="#i")
    page.press("ArrowDown")
    page.press("A", "Shift")
    assert page.eval("i.value") == "aß?A"
    assert page.eval("document.title") == "t a ß ? ArrowDown A"
    page.choose("#s", "2")
    assert page.text("#head") == "chosen 2"
    assert page.eval("[innerWidth, matchMedia('(prefers-color-scheme: dark)').matches]") == [400, True]
    page.eval("location.hash = 'two'")
    page.back()
    page.wait("location.hash === ''")
    assert page.screenshot(folder / "shot.png").read_bytes()[:4] == b"\x89PNG"
    assert page.problems == []
    assert {address.rpartition("/")[2] for address in page.requests} == {"page.html", "page.js"}
    page.close()


def test_it_tells_what_went_wrong(browser: Browser, folder: Path) -> None:
    page = browser.page()
    page.open(folder / "page.html")
    with pytest.raises(BrowserError, match="lies under"):
        page.click("#under")
    with pytest.raises(BrowserError, match="no option 3: 1,2"):
        page.choose("#s", "3")
    with pytest.raises(BrowserError, match="nothing is #none"):
        page.text("#none")
    with pytest.raises(BrowserError, match="not true after"):
        page.wait("false", timeout=0.1)
    assert page.problems == []
    page.eval("console.error('an error'); setTimeout(() => missing())")
    page.eval("new Image().src = 'http://example.invalid/x.png'; null")
    for words in ("an error", "missing is not defined", "example.invalid"):
        page.hears(words)
    assert "http://example.invalid/x.png" in page.requests
    page.close()


def test_pages_save_files(browser: Browser, folder: Path) -> None:
    page = browser.page()
    browser.saves_to(folder)
    page.open(folder / "page.html")
    page.click("#save")
    for _ in range(200):
        if (folder / "a.txt").exists():
            break
        page.eval("new Promise(done => setTimeout(done, 50))")
    assert (folder / "a.txt").read_text() == "saved"
    page.close()
