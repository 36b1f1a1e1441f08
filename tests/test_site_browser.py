"""The static site in a browser: opened from disk and clicked through."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from punctum.report.grids import Grid, Line, Number
from punctum.report.runs import Run
from punctum.report.site import Figure, write
from tests.browser import Browser, Page
from tests.site_runs import Row, save_run
from tests.test_site import NASTY

WORDS = ("amber", "birch", "cloud", "delta", "ember", "frost", "grove", "heron", "inlet", "juniper")


def rows_of(letters: str, outputs: str = "") -> list[Row]:
    """A row a letter: the chosen option, `?` for an answer that cannot be read, `!` for a failed call."""
    made = []
    for number, letter in enumerate(letters):
        row = Row(
            f"item-{number}", category="indoors" if number % 2 else "outdoors", prompt=f"About {WORDS[number % 10]}?"
        )
        if letter == "?":
            row.output, row.parsed = f"I like {WORDS[number % 10]}. {outputs}", None
        elif letter == "!":
            row.output, row.parsed, row.error = None, None, "the server was busy"
        else:
            row.output, row.parsed = letter, ("ABCD".index(letter),)
        made.append(row)
    return made


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three runs: two that may be ranked together, and one of the first rows only."""
    folder = tmp_path_factory.mktemp("site")
    runs = [
        save_run(folder / "good", rows_of("AAAB?AAAAAAA"), "good model"),
        save_run(folder / "poor", rows_of("ABCB!DBCDBAA", "zebra"), "poor model"),
        save_run(
            folder / "few", rows_of("AB"), "few rows", signature="data:sample|rows:2|limit:2|setting:lm|parser:robust"
        ),
    ]
    lines = [Line((f"model {n}",), (Number(f"{n}.00", notes=("doubtful",)),), "published") for n in range(2)]
    grids = [Grid(f"t{n}", f"Table {n} of {WORDS[n]}", ("model",), ("accuracy",), tuple(lines)) for n in range(5)]
    drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='20'><rect width='9' height='9'/></svg>"
    figures = []
    for number, task in enumerate(("vague/mcq", "vague", None)):
        (folder / f"{number}.svg").write_text(drawing)
        figures.append(Figure(folder / f"{number}.svg", f"of {task}", f"bars of {task}", task))
    write([Run.load(run) for run in runs], folder / "site", figures, grids)
    return folder / "site" / "index.html"


@pytest.fixture
def page(browser: Browser, site: Path) -> Iterator[Page]:
    page = browser.page()
    page.open(site)
    page.wait("document.querySelector('.ranking') !== null")
    yield page
    assert page.problems == []
    assert [address for address in page.requests if not address.startswith("file:")] == []
    page.close()


def go(page: Page, hash: str) -> None:
    page.eval(f"location.hash = {hash!r}")


def samples(page: Page) -> None:
    page.click("nav [data-page=samples]")
    page.wait("document.querySelectorAll('.row').length > 2 && document.querySelector('.answers') !== null")


def opened(page: Page, name: str) -> None:
    page.wait(f"document.querySelector('.detailhead h2')?.textContent === {name!r}")


def test_the_leaderboard_sorts_and_keeps_sets_apart(page: Page) -> None:
    assert page.texts("tbody .model a") == ["good model", "poor model", "few rows"]
    assert page.texts("td.rank")[:2] == ["1", "2"]
    assert page.texts(".setmark") == ["A", "A", "B"]
    apart = page.texts(".setline")[1]
    assert "Not comparable with set A" in apart and "limit 2 (A: none)" in apart and "setting lm (A: vlm)" in apart
    assert "the first 2 rows only" in page.text("tbody:nth-of-type(2) .chips")
    row = page.text("tbody tr:nth-child(2)")
    assert "83.33" in row and "73.33 – 93.33" in row
    assert page.count("tbody .interval") == 3
    page.click("[data-by=accuracy]")
    assert page.texts("tbody .model a") == ["poor model", "good model", "few rows"]
    assert page.eval("document.querySelector('[aria-sort]').getAttribute('aria-sort')") == "ascending"
    assert page.eval("document.activeElement.dataset.by") == "accuracy"
    page.press("Enter")
    assert page.texts("tbody .model a")[0] == "good model"
    page.click("[data-by=unparsed]")
    assert page.texts("tbody .model a")[0] == "good model"
    page.click("[data-by=model]")
    assert page.texts("tbody .model a")[:2] == ["good model", "poor model"]


def test_the_leaderboard_filters_and_keeps_filters_in_the_address(page: Page) -> None:
    page.type("poor", into="#find")
    assert page.texts("tbody .model a") == ["poor model"]
    page.choose("[data-name=setting]", "lm")
    assert "Nothing matches" in page.text(".boards")
    page.eval("byId('find').value = ''")
    page.type("few", into="#find")
    assert page.texts("tbody .model a") == ["few rows"]
    page.wait("location.hash.includes('setting=lm&text=few')")
    page.reload()
    page.wait("document.querySelector('.ranking') !== null")
    assert page.texts("tbody .model a") == ["few rows"]
    page.choose("[data-name=benchmark]", "vague")
    assert page.eval("document.querySelector('[data-name=task]').options.length") == 2


def test_a_run_has_a_page_and_back_leads_back(page: Page) -> None:
    page.click("tbody .model a")
    page.wait("document.querySelector('.task') !== null")
    assert page.text("h1") == "good model"
    text = page.text("main")
    for words in (
        "12 answers, 1 unparsed",
        "Letter bias",
        "+25.0",
        "chosen kinds",
        "by group",
        "ego4d",
        "−25.00",
        "n fewer",
    ):
        assert words in text, words
    page.click(".task details.plain summary")
    assert "hash of the questions as shown" in page.text(".task details.plain")
    page.click(".go:nth-child(2)")
    page.wait("document.querySelectorAll('.row').length === 2")
    assert page.text(".count") == "2 of 12 samples"
    page.back()
    page.wait("document.querySelector('.task') !== null")
    page.back()
    page.wait("document.querySelector('.ranking') !== null")


def test_figures_stand_with_their_tasks(page: Page) -> None:
    assert page.texts(".boards figcaption") == ["", "of vague", "of None"]  # the first is folded
    page.click(".board details summary")
    page.wait("document.querySelector('.board details img').naturalWidth === 40")
    page.click(".board details figure button")
    page.wait("byId('sheet').open")
    assert page.eval("document.querySelector('#sheet img').alt") == "bars of vague/mcq"
    page.press("Escape")
    page.click("tbody .model a")
    page.wait("document.querySelector('.task') !== null")
    assert page.texts("figcaption") == ["of vague/mcq", "of vague"]


def test_tables_open_and_are_found(page: Page) -> None:
    page.click("nav [data-page=tables]")
    page.wait("document.querySelectorAll('.fold').length === 5")
    assert page.count(".sheet") == 0
    page.click(".fold:nth-child(2) summary")
    page.wait("document.querySelector('.fold:nth-child(2) .sheet') !== null")
    assert page.texts(".sheet tbody td") == ["0.001", "1.001"]  # with the footnote's number
    assert page.text(".footnotes") == "doubtful"
    page.type("delta", into="#find")
    assert page.texts(".fold summary") == ["Table 3 of delta"]
    assert page.count(".sheet") == 1
    go(page, "#/tables/t4")
    page.wait("document.querySelector('#table-t4 .sheet') !== null")
    assert page.count(".sheet") == 1


def test_labels_and_questions_without_a_prompt(browser: Browser, tmp_path: Path) -> None:
    labels = Row("1", "OR", ("OR",), form="labels", options=("TR1", "OR"), gold=("TR1", "OR"), prompt=None)
    plain = Row("2", "yes", "yes", form="yes_no", options=(), gold="yes", prompt=None, pictures=())
    plain.more = {"fields": {"question": "Is the tap open?", "level": "low"}}
    run = save_run(tmp_path / "one", [labels, plain])
    page = browser.page()
    page.open(write([Run.load(run)], tmp_path / "site"))
    page.wait("document.querySelector('.ranking') !== null")
    samples_of_two = "document.querySelectorAll('.row').length === 2 && document.querySelector('.answers') !== null"
    page.click("nav [data-page=samples]")
    page.wait(samples_of_two)
    assert page.texts(".options tbody th") == ["TR1", "OR"] and page.count(".options .right") == 2
    assert page.texts(".options .who") == ["", "✓ a model"]
    page.press("j")
    opened(page, "2")
    assert page.text(".about") == "Is the tap open?"
    detail = page.text(".detail")
    assert "No picture: the data at hand have none." in detail and "The prompt is not known" in detail
    assert page.problems == []
    page.close()


def test_runs_without_samples_say_so(browser: Browser, tmp_path: Path) -> None:
    run = save_run(tmp_path / "one", rows_of("AB?"), with_samples=False)
    page = browser.page()
    page.open(f"{write([Run.load(run)], tmp_path / 'site').as_uri()}#/samples")
    opened(page, "item-0")
    assert "these runs have no samples.jsonl" in page.text(".detail")
    assert "read as A by the rule letter" in page.text(".answer")
    (tmp_path / "site" / "data" / "sets" / "vague-mcq-sample" / "0.js").unlink()
    page.reload()
    page.wait("document.querySelector('.detail [role=alert]') !== null")
    assert "0.js cannot be read: copy the whole folder" in page.text(".detail")
    (run / "predictions.jsonl").unlink()
    page.open(f"{write([Run.load(run)], tmp_path / 'other').as_uri()}#/samples")
    page.wait("document.querySelector('main .note') !== null")
    assert "nothing to browse" in page.text("main")
    (tmp_path / "other" / "data" / "site.js").unlink()
    page.open(tmp_path / "other" / "index.html")
    assert "copy the whole folder" in page.text("main")
    page.close()


def test_a_sample_shows_everything(page: Page) -> None:
    samples(page)
    opened(page, "item-0")
    page.click(".row[data-position='3']")
    opened(page, "item-3")
    detail = page.text(".detail")
    assert "close the window" in detail and "✓ right" in detail and "superficial" in detail and "About delta?" in detail
    assert page.texts(".options tbody tr:nth-child(2) .who .chip") == ["✗ good model", "✗ poor model"]
    assert page.eval("document.querySelector('.picture img').naturalWidth") == 16
    assert page.eval("document.querySelector('.picture img').alt") == "Picture of item-3"
    page.click(".picture")
    page.wait("byId('sheet').open")
    page.press("Escape")
    page.wait("!byId('sheet').open")
    page.click(".row[data-position='4']")
    opened(page, "item-4")
    assert page.texts(".answer .status") == ["? unparsed", "! failed"]
    assert "the server was busy" in page.text(".answer.failed")
    assert "unparsed, counted as wrong by the rule letter" in page.text(".answer.unparsed")
    assert "read as" not in page.text(".answer.failed")


def test_keys(page: Page) -> None:
    samples(page)
    opened(page, "item-0")
    page.press("j")
    page.press("j")
    opened(page, "item-2")
    page.press("k")
    opened(page, "item-1")
    page.eval("document.activeElement.blur()")
    page.press("ArrowDown")
    opened(page, "item-2")
    page.press("End")
    opened(page, "item-11")
    page.press("j")
    opened(page, "item-11")
    page.press("Home")
    opened(page, "item-0")
    assert page.eval("document.querySelector('.list').getAttribute('aria-activedescendant')") == "row-0"
    page.press("?")
    page.wait("byId('sheet').open")
    assert "next sample" in page.text("#sheet")
    page.press("j")
    page.press("Escape")
    page.wait("!byId('sheet').open")
    opened(page, "item-0")
    page.press("/")
    assert page.eval("document.activeElement.id") == "find"
    page.type("jk")
    assert page.eval("byId('find').value") == "jk"
    page.press("Escape")
    page.press("l")
    page.wait("document.querySelector('.ranking') !== null")


def test_filters_of_samples(page: Page) -> None:
    samples(page)

    def shown() -> list[str]:
        return page.texts(".row .rowid")

    page.choose("[data-name=show]", "disagree")
    assert shown() == [f"item-{n}" for n in (1, 2, 5, 6, 7, 8, 9)]
    page.choose("[data-name=chosen]", "superficial")
    assert shown() == ["item-2", "item-7"]
    page.choose("[data-name=category]", "outdoors")
    assert shown() == ["item-2"]
    page.choose("[data-name=category]", "")
    page.choose("[data-name=chosen]", "")
    page.choose("[data-name=show]", "failed")
    assert shown() == ["item-4"]
    page.choose("[data-name=show]", "unparsed")
    assert shown() == ["item-4"]
    page.choose("[data-name=show]", "wrong")
    assert shown() == [f"item-{n}" for n in (1, 2, 3, 4, 5, 6, 7, 8, 9)]
    page.click("[data-run^=poor]")
    assert shown() == ["item-1", "item-3", "item-4"]
    page.wait("document.querySelectorAll('.answer').length === 1")
    opened(page, "item-4")
    assert page.texts(".answer header a") == ["good model"]
    click = "new MouseEvent('click', {shiftKey: true, bubbles: true})"
    page.eval(f"document.querySelector('[data-run^=good]').dispatchEvent({click})")
    assert page.eval("[...document.querySelectorAll('[aria-pressed=true]')].map(e => e.innerText)") == ["good model"]
    page.choose("[data-name=show]", "right")
    assert "item-0" in shown() and "item-3" not in shown()


def test_full_text_search(page: Page) -> None:
    samples(page)
    page.type("zebra", into="#find")
    page.wait("document.querySelector('.count').innerText.startsWith('0 of')")
    assert "No sample fits" in page.text(".detail")
    page.click(".detail .note button")
    page.wait("document.querySelectorAll('.row').length === 12")
    page.type("EMBER", into="#find")
    page.wait("document.querySelectorAll('.row').length === 1")
    opened(page, "item-4")
    page.wait("location.hash.includes('q=EMBER')")
    page.click(".found .more")
    page.wait("document.querySelectorAll('.row').length === 12")
    assert page.eval("[byId('find').value, document.querySelector('.found .more').hidden]") == ["", True]
    assert page.eval("document.activeElement.className") == "list"
    page.type("EMBER", into="#find")
    page.wait("document.querySelectorAll('.row').length === 1 && location.hash.includes('q=EMBER')")
    opened(page, "item-4")
    assert page.eval("[...CSS.highlights.get('found')].map(range => range.toString())") == ["ember"] * 2


def test_deep_links(page: Page) -> None:
    samples(page)
    page.choose("[data-name=show]", "wrong")
    page.press("j")
    opened(page, "item-2")
    page.wait("location.hash.includes('item=item-2')")
    address = page.eval("location.href")
    page.open("about:blank")
    page.open(address)
    opened(page, "item-2")
    assert page.eval("document.querySelector('[data-name=show]').value") == "wrong"
    assert page.count(".row") == 9
    go(page, "#/samples/vague-mcq-sample?item=nothing")
    page.wait("document.querySelectorAll('.row').length === 12")
    go(page, "#/samples/none")
    page.wait("document.querySelector('h1').innerText.startsWith('No such')")
    go(page, "#/run/<script>")
    page.wait("document.querySelector('.note bdi').innerText === '<script>'")
    go(page, "#/%E0%A4%A")
    page.wait("document.querySelector('h1').innerText.startsWith('No such page')")


def test_a_phone(browser: Browser, site: Path) -> None:
    page = browser.page(width=360, height=720, phone=True, dark=True)
    page.open(site)
    page.wait("document.querySelector('.ranking') !== null")
    fits = "document.documentElement.scrollWidth <= 360 && [...document.querySelectorAll('main *')].every(e => "
    fits += "e.closest('.scroll, .hidden, svg, select') || e.getBoundingClientRect().right <= 361)"
    assert page.eval(fits)
    page.choose("[data-name=measure]", "n_valid")
    assert page.eval("document.querySelector('td.sorted').innerText") == "12"
    samples(page)
    assert page.eval("getComputedStyle(document.querySelector('.detail')).display") == "none"
    assert page.eval(fits)
    page.click(".row[data-position='1']")
    opened(page, "item-1")
    assert page.eval(fits)
    page.back()
    page.wait("getComputedStyle(document.querySelector('.left')).display !== 'none'")
    page.click(".row[data-position='2']")
    opened(page, "item-2")
    page.click(".steps [data-go='1']")
    opened(page, "item-3")
    page.click(".up")
    page.wait("getComputedStyle(document.querySelector('.left')).display !== 'none'")
    go(page, page.eval("link(['run', Punctum.site.runs[0].slug])"))
    page.wait("document.querySelector('.task') !== null")
    assert page.eval(fits)
    assert page.problems == []
    page.close()


#: Contrast of every text with what lies under it, by the WCAG's formula; the lowest are given.
CONTRAST = r"""(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const paint = (color) => { canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); };
  const mixed = (colors) => { colors.forEach(paint); return canvas.getImageData(0, 0, 1, 1).data; };
  const behind = (e) => e ? [...behind(e.parentElement), getComputedStyle(e).backgroundColor] : ["white"];
  const linear = (value) => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const contrast = (element) => {
    const under = behind(element), over = [...under, getComputedStyle(element).color];
    const [low, high] = [light(mixed(under)), light(mixed(over))].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  return [...document.querySelectorAll("body *")]
    .filter((element) => hasText(element) && element.getClientRects().length && !element.closest("svg, option, script"))
    .map((element) => [contrast(element), `${element.className} ${element.textContent.slice(0, 30)}`])
    .sort((a, b) => a[0] - b[0]).slice(0, 3);
})()"""
#: Controls and pictures that have no name for those who do not see them.
UNNAMED = """[...document.querySelectorAll("button, a, input, select, img, [role=region], [role=listbox]")]
  .filter((e) => !(e.innerText || e.alt || e.ariaLabel || e.labels?.length)).map((e) => e.outerHTML)"""


@pytest.mark.parametrize("dark", [False, True])
def test_contrast_and_names(browser: Browser, site: Path, dark: bool) -> None:
    page = browser.page(dark=dark)
    page.open(site)
    page.wait("document.querySelector('.ranking') !== null")
    run = page.eval("link(['run', Punctum.site.runs[0].slug])")
    for hash in (
        "#/",
        "#/runs",
        run,
        "#/tables/t1",
        "#/samples/vague-mcq-sample?item=item-4",
        "#/?text=nothing-has-this",
    ):
        go(page, hash)
        page.eval("new Promise(done => setTimeout(done, 200))")
        assert page.eval(CONTRAST)[0][0] >= 4.5, (hash, page.eval(CONTRAST))
        assert page.eval(UNNAMED) == []
        assert page.eval("[...document.querySelectorAll('th')].filter(e => !e.scope).length") == 0
        assert page.eval("document.querySelectorAll('h1').length") == 1
    assert page.eval("document.documentElement.lang") == "en"
    page.close()


def test_colours_switch_and_stay(page: Page) -> None:
    def paper() -> str:
        return str(page.eval("getComputedStyle(document.body).backgroundColor"))

    light = paper()
    page.click("#theme")
    assert paper() == light and "light" in page.eval("byId('theme').ariaLabel")
    page.click("#theme")
    dark = paper()
    assert dark != light
    page.reload()
    page.wait("document.querySelector('.ranking') !== null")
    assert paper() == dark
    page.click("#theme")
    assert paper() == light


def test_focus_is_seen(page: Page) -> None:
    for _ in range(12):
        page.press("Tab")
        style, width = page.eval("(s => [s.outlineStyle, s.outlineWidth])(getComputedStyle(document.activeElement))")
        assert (style, width) != ("none", "0px"), page.eval("document.activeElement.outerHTML")


def test_hostile_texts_stay_texts(browser: Browser, tmp_path: Path) -> None:
    rows = [Row(text, text, None, category=text, prompt=text, options=(text, "b"), rule=text) for text in NASTY]
    rows.append(Row("long", "x" * 100_000, None))
    rows[0].more = {"system": NASTY[0], "stages": {NASTY[1]: NASTY[0]}, "fields": {"__proto__": NASTY[0]}}
    run = save_run(tmp_path / "one", rows, model=f'{NASTY[0]}<img src=x onerror="alert(1)">')
    index = write([Run.load(run)], tmp_path / "site", title=NASTY[0])
    page = browser.page(width=400, phone=True)
    page.open(index)
    page.wait("document.querySelector('.ranking') !== null")
    assert page.text("#title") == NASTY[0]
    page.click("tbody .model a")
    page.wait("document.querySelector('.task') !== null")
    page.click(".go")
    page.wait("document.querySelector('.row') !== null")
    for number, row in enumerate(rows):
        page.eval(f"Samples.open({number})")
        page.wait(f"document.querySelector('.detailhead span').innerText.startsWith('{number + 1} /')")
        assert page.eval("document.querySelector('.answer > pre').textContent") == row.output
        assert page.eval("document.documentElement.scrollWidth") <= 400
    assert page.eval("document.querySelectorAll('main script, main img[src=x], main style, main iframe').length") == 0
    assert [p for p in page.problems if "alert" in p or "dialog" in p or "Error" in p] == []
    assert page.problems == []
    assert page.eval("Object.prototype.toString.call({}.alert)") == "[object Undefined]"
    # what would come through all the same is stopped by the policy
    page.eval("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.hit = 1\">')")
    page.hears("Content Security Policy")
    assert page.eval("window.hit") is None
    page.close()


def test_ten_thousand_samples_stay_smooth(browser: Browser, tmp_path: Path) -> None:
    n = 10_000
    letters = "ABCD?" * (n // 5)
    for name in ("one", "two"):
        rows = rows_of(letters if name == "one" else letters[::-1], "of some length " * 10)
        rows[n - 7].output = "a needle"
        save_run(tmp_path / name, rows, name)
    index = write([Run.load(tmp_path / name) for name in ("one", "two")], tmp_path / "site")
    page = browser.page()
    started = time.monotonic()
    page.open(f"{index.as_uri()}#/samples/vague-mcq-sample")
    page.wait("document.querySelector('.row') !== null")
    print(f"first rows after {time.monotonic() - started:.2f} s")
    assert page.count(".row") < 60
    assert len([address for address in page.requests if re.search(r"/\d+\.js$", address)]) == 1
    for share in (0.25, 0.5, 0.99):
        page.eval(f"(list => {{ list.scrollTop = {share} * list.scrollHeight; }})(document.querySelector('.list'))")
        near = f"Math.abs(parseInt(e.innerText.slice(5)) - {int(share * n)}) < 20"
        page.wait(f"[...document.querySelectorAll('.rowid')].some(e => {near})")
        assert page.count(".row") < 60
    frames = page.eval(
        """new Promise(done => { const list = document.querySelector(".list"), times = []; let last = performance.now();
        (function step(now) { times.push(now - last); last = now; list.scrollTop -= 400;
          times.length < 60 ? requestAnimationFrame(step) : done(times.slice(1).sort((a, b) => a - b)); })(last); })"""
    )
    print(f"frames while scrolling: median {frames[len(frames) // 2]:.1f} ms, longest {frames[-1]:.1f} ms")
    for _ in range(250):  # browsers refuse so many changes of the address, and the page does not ask for them
        page.press("j")
    page.press("End")
    opened(page, f"item-{n - 1}")
    page.wait(f"location.hash.includes('item-{n - 1}')")
    page.choose("[data-name=show]", "unparsed")
    assert page.text(".count") == "4,000 of 10,000 samples"
    page.choose("[data-name=show]", "")
    started = time.monotonic()
    page.type("a needle", into="#find")
    page.wait(
        "document.querySelectorAll('.row').length === 1 && document.querySelector('.count').innerText.includes('1 of')"
    )
    opened(page, f"item-{n - 7}")
    print(f"found a needle after {time.monotonic() - started:.2f} s")
    assert page.problems == []
    page.close()
