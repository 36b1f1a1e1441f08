"""The page for people, clicked through from the first question to a scored row."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from punctum import discovery
from punctum.cli import main
from punctum.commands.raters import agreed
from punctum.evaluators import benchmark_of
from punctum.prompts import Prompts
from punctum.records import Picture, Sample, Unit
from punctum.report.quiz import Quiz, as_script, drawn, write
from tests.browser import Browser, Page


def made(task: str, out: Path, *more: str) -> list[dict[str, Any]]:
    """Write the sample's quiz; the questions as the page has them."""
    assert main(["quiz", task, "--sample", "--out", str(out), "--quiet", *more]) == 0
    text = (out / "questions.js").read_text(encoding="utf-8")
    questions: list[dict[str, Any]] = json.loads(text.removeprefix("window.QUIZ = ").rstrip(";\n"))["questions"]
    return questions


def gold(task: str, **kwargs: Any) -> dict[str, Sample]:
    from punctum import _datasets
    from punctum.evaluators.options import Options

    name, _, short = task.partition("/")

    def load(config: str, **more: Any) -> Any:
        return _datasets.load(name, config, data_dir=discovery.sample(name), **more)

    options = Options(prompt_slots=(1,), **kwargs)
    return {sample.unit.id: sample for sample in benchmark_of(name).task(short).samples(load, options)}


def save(page: Page, browser: Browser, folder: Path, name: str, file: str) -> Path:
    browser.saves_to(folder)
    page.eval("document.getElementById('rater').value = ''")
    page.type(name, into="#rater")
    page.click("#save")
    page.wait("document.getElementById('message').textContent.startsWith('Saved')", 5)
    for _ in range(200):
        if (folder / file).is_file():
            return folder / file
        page.eval("new Promise(done => setTimeout(done, 50))")
    raise AssertionError(f"{file} was not saved; there are {list(folder.iterdir())}")


def scored(task: str, out: Path, *files: Path) -> dict[str, Any]:
    target = out / "scores.json"
    words = ["score", task, "--sample", "--ids", str(out / "ids.txt"), "--each", "--quiet", "--resamples", "0"]
    assert main([*words, "--json", str(target), "--predictions", *map(str, files)]) == 0
    value: dict[str, Any] = json.loads(target.read_text(encoding="utf-8"))
    return value


def test_from_the_first_question_to_a_scored_row(browser: Browser, tmp_path: Path) -> None:
    """One rater answers all rightly but the first, by keys; another by mouse, after a reload; both are scored."""
    questions = made("vague/mcq", tmp_path / "quiz", "--n", "4")
    samples = gold("vague/mcq")
    right = [q["values"].index("ABCD"[samples[q["id"]].gold[0]]) for q in questions]
    page = browser.page()
    page.open(tmp_path / "quiz" / "index.html")
    assert page.eval("[...document.images].every(i => i.complete && i.naturalWidth > 0)")
    page.press("abcd"[(right[0] + 1) % 4])
    page.press("Enter")
    for place in right[1:]:
        page.press(str(place + 1))
        page.press("ArrowRight")
    assert page.text("#count").startswith("4 of 4 answered")
    first = save(page, browser, tmp_path, "Ann", "vague-mcq-Ann.jsonl")
    page.reload()
    assert (
        page.text("#count").startswith("4 of 4 answered")
        and page.eval("document.getElementById('rater').value") == "Ann"
    )
    page.press("ArrowLeft")
    for _ in range(3):
        page.click("#back")
    page.click(f".option:nth-of-type({right[0] + 1})")
    second = save(page, browser, tmp_path, "Bo B", "vague-mcq-Bo_B.jsonl")
    found = scored("vague/mcq", tmp_path / "quiz", first, second)
    assert [run["model"]["id"] for run in found["runs"]] == ["Ann", "Bo B"]
    assert [run["tasks"]["mcq"]["metrics"]["accuracy"] for run in found["runs"]] == [0.75, 1.0]
    assert found["agreement"][0]["observed_agreement"] == 0.75 and found["agreement"][0]["n"] == 4
    assert page.problems == [] and all(address.startswith(("file:", "blob:")) for address in page.requests)


def test_several_options_in_their_order_and_taken_back(browser: Browser, tmp_path: Path) -> None:
    questions = made("pitt_ads/arr", tmp_path / "quiz", "--n", "1")
    page = browser.page()
    page.open(tmp_path / "quiz" / "index.html")
    for key in ("c", "a", "d", "b"):
        page.press(key)
    assert "Only 3" in page.text("#message")
    page.press("c")
    page.press("e")
    file = save(page, browser, tmp_path, "7", "pitt_ads-arr-7.jsonl")
    line = json.loads(file.read_text(encoding="utf-8"))
    assert line["output"] == ", ".join(questions[0]["values"][place] for place in (0, 3, 4))
    sample = gold("pitt_ads/arr")[line["id"]]
    hits = len({int(word) for word in line["output"].split(", ")} & set(sample.gold))
    metrics = scored("pitt_ads/arr", tmp_path / "quiz", file)["runs"][0]["tasks"]["arr"]["metrics"]
    assert metrics["prec_at_3"] == pytest.approx(min(3, hits) / 3)


@pytest.mark.parametrize(("task", "keys", "output"), [
    ("mvp_bench/yes_no", "n", "No"),
    ("pitt_ads/mac", "ca", "OIO, TR1"),
])  # fmt: skip
def test_other_forms_by_keys(browser: Browser, tmp_path: Path, task: str, keys: str, output: str) -> None:
    questions = made(task, tmp_path / "quiz", "--n", "1")
    page = browser.page()
    page.open(tmp_path / "quiz" / "index.html")
    page.eval("localStorage.clear()")
    for key in keys:
        page.press(key)
    file = save(page, browser, tmp_path, "r", f"{task.replace('/', '-')}-r.jsonl")
    line = json.loads(file.read_text(encoding="utf-8").splitlines()[0])
    assert (line["id"], line["output"]) == (questions[0]["id"], output)


@pytest.mark.weights
def test_objects_are_typed(browser: Browser, tmp_path: Path, mpnet: Path) -> None:
    questions = made("pitt_ads/aor", tmp_path / "quiz", "--n", "1")
    page = browser.page()
    page.open(tmp_path / "quiz" / "index.html")
    sample = gold("pitt_ads/aor")[questions[0]["id"]]
    template = str(sample.fields["template"])
    words = [("can", "egg"), ("egg", "can")]
    page.type(words[0][0], into="main .field:nth-of-type(1) input")
    page.type(words[0][1], into="main .field:nth-of-type(2) input")
    file = save(page, browser, tmp_path, "r", "pitt_ads-aor-r.jsonl")
    out = tmp_path / "scores"
    command = ["score", "pitt_ads/aor", "--sample", "--ids", str(tmp_path / "quiz" / "ids.txt"), "--quiet"]
    assert main([*command, "--similarity-model", str(mpnet), "--predictions", str(file), "--out", str(out)]) == 0
    read = json.loads((out / "predictions.jsonl").read_text(encoding="utf-8"))
    assert read["parsed"] == ["can", "egg"] and "<object1>" in template


def test_a_saved_file_goes_on_elsewhere_and_strange_lines_are_counted(browser: Browser, tmp_path: Path) -> None:
    made("deepeval/title", tmp_path / "quiz", "--n", "3")
    page = browser.page()
    page.open(tmp_path / "quiz" / "index.html")
    page.press("b")
    file = save(page, browser, tmp_path, "x", "deepeval-title-x.jsonl")
    text = file.read_text(encoding="utf-8") + 'no json\n{"id": "other", "prompt_slot": 1, "output": "A"}\n'
    page.eval("localStorage.clear()")
    page.reload()
    assert page.text("#count").startswith("0 of 3")
    transfer = f"""(() => {{
        const data = new DataTransfer();
        data.items.add(new File([{json.dumps(text)}], "saved.jsonl"));
        const input = document.getElementById("load");
        input.files = data.files;
        input.dispatchEvent(new Event("change"));
    }})()"""
    page.eval(transfer)
    page.wait("document.getElementById('message').textContent.includes('answers read')")
    assert page.text("#message") == "1 answers read. 2 lines do not belong to this quiz."
    assert page.text("#count").startswith("1 of 3")


def test_a_name_is_asked_for_and_a_phone_shows_all(browser: Browser, tmp_path: Path) -> None:
    made("mvp_bench/mcq_cross", tmp_path / "quiz", "--n", "2")
    page = browser.page(390, 844, phone=True)
    page.open(tmp_path / "quiz" / "index.html")
    page.press("a")
    page.click("#save")
    assert "name" in page.text("#message")
    assert page.eval("document.documentElement.scrollWidth") <= 390
    assert page.eval("document.querySelectorAll('main img').length") >= 1


def test_what_data_say_stays_text(browser: Browser, tmp_path: Path) -> None:
    evil = "</script><script>window.evil = 1</script><img src=x onerror='window.evil = 2'>\u2028 \u202e &amp; 'x' \"y\""
    sample = Sample(
        Unit("<b>id</b>", "mcq"), "choice", (0,), (evil, "plain"), fields={"utterance": evil, "caption": evil}
    )
    quiz = Quiz("vague", "mcq", evil, "sm", 0, evil, [sample])
    assert write(quiz, tmp_path) == []
    page = browser.page()
    page.open(tmp_path / "index.html")
    assert page.eval("window.evil === undefined")
    assert page.eval("document.querySelector('.caption').textContent") == evil
    assert evil in page.eval("[...document.querySelectorAll('.option span:nth-of-type(2)')].map(e => e.textContent)")
    assert page.problems == []


def test_the_page_gives_nothing_away(tmp_path: Path) -> None:
    """No gold and no kinds on the page, and the right option is not always at one place."""
    questions = made("vague/mcq", tmp_path, "--n", "24")
    text = (tmp_path / "questions.js").read_text(encoding="utf-8")
    assert not [word for word in ("gold", "answers", "correct", "superficial", "fake_scene") if f'"{word}"' in text]
    samples = gold("vague/mcq")
    places = [q["values"].index("ABCD"[samples[q["id"]].gold[0]]) for q in questions]
    assert set(places) == {0, 1, 2, 3}


def test_the_same_questions_every_time_and_others_with_another_seed(tmp_path: Path) -> None:
    first, second = made("vague/mcq", tmp_path / "a", "--n", "6"), made("vague/mcq", tmp_path / "b", "--n", "6")
    other = made("vague/mcq", tmp_path / "c", "--n", "6", "--seed", "1")
    assert first == second and [q["id"] for q in first] != [q["id"] for q in other]
    assert (tmp_path / "a" / "index.html").read_bytes() == (tmp_path / "b" / "index.html").read_bytes()


def test_pairs_stay_whole() -> None:
    samples = [Sample(Unit(f"{i}{side}", "t"), "yes_no", "yes", cluster=str(i)) for i in range(9) for side in "ab"]
    chosen = drawn(samples, 5, seed=0)
    assert len(chosen) == 6 and len({sample.cluster for sample in chosen}) == 3
    assert len(drawn(samples, 100, seed=0)) == 18


def test_every_task_of_people_has_its_words(tmp_path: Path) -> None:
    for name in discovery.benchmarks():
        for task in benchmark_of(name).tasks:
            if task.default:
                assert f"quiz/{name}_{task.name}" in Prompts().names()
    quiz = Quiz("vague", "other", "t", "lm", 0, "", [Sample(Unit("a", "other"), "text", ())])
    with pytest.raises(ValueError, match="quiz/vague_other"):
        write(quiz, tmp_path)


def test_a_broken_picture_is_told(tmp_path: Path) -> None:
    (tmp_path / "bad.png").write_bytes(b"nonsense")
    picture = Picture(path=str(tmp_path / "bad.png"))
    sample = Sample(Unit("a", "mcq"), "choice", (0,), ("x", "y"), pictures=(picture,), fields={"utterance": "u"})
    [fault] = write(Quiz("vague", "mcq", "t", "vlm", 0, "", [sample]), tmp_path / "out")
    assert fault.startswith("a: ")


def test_as_script_cannot_end_its_element() -> None:
    assert "<" not in as_script({"a": "</script>"}) and json.loads(as_script("a\u2028<")) == "a\u2028<"


def test_agreement_of_two() -> None:
    one, two, three = (Unit(name, "t") for name in "abc")
    assert agreed({one: "0"}, {two: "0"}) == {"n": 0, "observed_agreement": None, "cohen_kappa": None}
    found = agreed({one: "0", two: "1", three: "1"}, {one: "0", two: "1"})
    assert found == {"n": 2, "observed_agreement": 1.0, "cohen_kappa": 1.0}


def test_ids_choose_questions_and_unknown_ones_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    questions = made("whoops", tmp_path / "quiz", "--n", "5")
    run = ["run", "whoops", "--sample", "--model", "baseline:first", "--store", str(tmp_path / "s"), "--quiet"]
    out = tmp_path / "run"
    assert main([*run, "--ids", str(tmp_path / "quiz" / "ids.txt"), "--out", str(out)]) == 0
    lines = [json.loads(line) for line in (out / "predictions.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {line["id"] for line in lines} == {q["id"] for q in questions}
    assert "|ids:5," in json.loads((out / "results.json").read_text())["tasks"]["explanation"]["signature"]
    (tmp_path / "ids.jsonl").write_text(f'{{"id": "nobody"}}\n{{"question_id": "{questions[0]["id"]}"}}\n')
    assert main([*run, "--ids", str(tmp_path / "ids.jsonl")]) == 2
    assert "no questions with 1 of 2 ids: nobody" in capsys.readouterr().err
    (tmp_path / "empty").write_text("\n")
    assert main([*run, "--ids", str(tmp_path / "empty")]) == 2


def test_a_folder_of_other_files_is_refused_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A benchmark's folder has `pictures/`, too: they are not the page's to remove."""
    (tmp_path / "data" / "pictures").mkdir(parents=True)
    (tmp_path / "data" / "pictures" / "a.jpg").write_bytes(b"mine")
    assert main(["quiz", "vague/mcq", "--sample", "--n", "1", "--out", str(tmp_path / "data")]) == 2
    assert "has pictures that no quiz wrote" in capsys.readouterr().err
    assert (tmp_path / "data" / "pictures" / "a.jpg").read_bytes() == b"mine"
    assert (
        main(["quiz", "vague/mcq", "--sample", "--n", "1", "--out", str(tmp_path / "data" / "pictures" / "a.jpg")]) == 2
    )
    assert "is a file; --out takes a folder" in capsys.readouterr().err
    made("vague/mcq", tmp_path / "quiz", "--n", "1")
    made("vague/mcq", tmp_path / "quiz", "--n", "2")  # a quiz takes the place of a quiz


@pytest.mark.parametrize("task", ["vague/free_form", "deepeval/title_free"])
def test_a_task_without_words_for_people_says_so_first(
    task: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not that a model is missing that would score the answers."""
    assert main(["quiz", task, "--sample", "--out", str(tmp_path / "quiz")]) == 2
    error = capsys.readouterr().err
    assert f"{task} has no words for people" in error and "vague_mcq" in error


def test_each_names_the_file_and_shows_long_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made("vague/mcq", tmp_path / "quiz", "--n", "2")
    ids = (tmp_path / "quiz" / "ids.txt").read_text(encoding="utf-8").split()
    files = [tmp_path / f"answers-of-the-rater-with-number-{number}.jsonl" for number in (1, 2)]
    for file in files:
        file.write_text("".join(json.dumps({"id": name, "output": "A"}) + "\n" for name in ids), encoding="utf-8")
    words = ["score", "vague/mcq", "--sample", "--each", "--predictions", *map(str, files)]
    assert main([*words, "--ids", str(tmp_path / "quiz" / "ids.txt")]) == 0
    shown = capsys.readouterr().out.split("answered alike")[0]
    cells = ["".join(line.split("│")[1].split()) for line in shown.splitlines() if line.startswith("│")]
    assert all(file.stem in "".join(cells) for file in files)
    assert main(words) == 1
    assert f"{files[0]}: vague/mcq: 22 of 24 answers are missing" in capsys.readouterr().err
