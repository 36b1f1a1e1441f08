"""How long `punctum score` takes over a million choice answers, and how much memory.

Makes a DeepEval folder of made-up questions (a third of the answers: each is asked by three prompts) and a
file of answers in the forms that models write; builds the dataset once, outside the measured time; then
measures the command in a process of its own.

    python benchmarks/score_million.py [--answers 1000000] [--json]
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import punctum

SLOTS = 3
LIMIT_SECONDS = 30
LIMIT_GIB = 2
FORMS = ("{letter}", "{letter}.", "({letter})", "{letter}) {text}", "The answer is {letter}.", "{text}", "**{letter}**")
WORDS = ("the", "quiet", "river", "keeps", "every", "secret", "city", "never", "learned", "listen", "slowly", "name")


def write_questions(folder: Path, n: int, draw: random.Random) -> list[dict[str, str]]:
    """Write the four raw files; returns the options of each title question."""
    every = []
    names = ("Annotation", "Descripion_Questions", "Title_Questions", "DeepSemantics_Questions")
    files = {name: (folder / f"{name}.json").open("w", encoding="utf-8") for name in names}
    for i in range(n):
        texts = [" ".join(draw.sample(WORDS, 5)) for _ in range(4)]
        options = dict(zip("ABCD", texts, strict=True))
        gold = draw.choice("ABCD")
        base = {"Image_ID": f"Img{i + 1}", "Url": f"Images/Img{i + 1}.png"}
        annotation = {"Description": texts[0], "Title": options[gold], "Deep_Semantics": texts[1]}
        prompts = {f"Prompt_{slot}": "Which? (A) {} (B) {} (C) {} (D) {}" for slot in (1, 2, 3)}
        files["Annotation"].write(json.dumps({**base, **annotation}) + "\r\n")
        files["Title_Questions"].write(json.dumps({**base, "Options": options, "Answer": gold, **prompts}) + "\r\n")
        every.append(options)
    for file in files.values():
        file.close()
    return every


def write_answers(path: Path, questions: list[dict[str, str]], draw: random.Random) -> int:
    """Write one answer a question and prompt; returns how many."""
    n = 0
    with path.open("w", encoding="utf-8") as file:
        for i, options in enumerate(questions):
            for slot in range(1, SLOTS + 1):
                letter = draw.choice("ABCD")
                output = draw.choice(FORMS).format(letter=letter, text=options[letter])
                file.write(json.dumps({"id": f"Img{i + 1}", "prompt_slot": slot, "output": output}) + "\n")
                n += 1
    return n


def measure(folder: Path, answers: Path) -> dict[str, float]:
    """Run the command in its own process."""
    out = folder / "results.json"
    code = "from punctum.cli import main; import sys; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "score", "deepeval/title", "--data-dir", str(folder), "--quiet"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run([*command, "--predictions", str(answers), "--json", str(out)], check=True)
    seconds = time.perf_counter() - start
    task = json.loads(out.read_text())["tasks"]["title"]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    peak = after.ru_maxrss / 2**20
    return {
        "answers": task["n"],
        "seconds": seconds,
        "cpu_seconds": cpu,
        "gib": peak,
        "accuracy": task["metrics"]["accuracy"],
    }


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=1_000_000)
    parser.add_argument("--json", action="store_true", help="end with one JSON object")
    args = parser.parse_args()
    draw = random.Random(0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        questions = write_questions(folder, -(-args.answers // SLOTS), draw)
        answers = folder / "answers.jsonl"
        write_answers(answers, questions, draw)
        code = "import punctum, sys; punctum.load('deepeval', 'title', data_dir=sys.argv[1])"
        subprocess.run([sys.executable, "-c", code, name], check=True, stderr=subprocess.DEVNULL)
        result = measure(folder, answers)
    print(f"punctum {punctum.__version__}: {result['answers']:,.0f} answers in {result['seconds']:.1f} s, ", end="")
    print(f"{result['cpu_seconds']:.1f} s of one core, {result['gib']:.2f} GiB at most ", end="")
    print(f"(wanted: under {LIMIT_SECONDS} s and {LIMIT_GIB} GiB)")
    if args.json:
        print(json.dumps(result))
    return int(result["seconds"] >= LIMIT_SECONDS or result["gib"] >= LIMIT_GIB)


if __name__ == "__main__":
    sys.exit(main())
