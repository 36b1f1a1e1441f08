"""The server backend against `transformers serve` on the loopback interface: a real server, real pictures.

Needs the extra `serving` of transformers (fastapi and uvicorn), which the extra `test` brings.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from punctum import discovery
from punctum.cli import main
from punctum.evaluators.models import openai_chat, transformers_image_text
from punctum.evaluators.models.base import ModelOptions
from punctum.records import Generation, Response
from tests.tiny_models import CHATML, answers, picture, request, save_llava

MISSING = [name for name in ("fastapi", "uvicorn", "openai") if find_spec(name) is None]
pytestmark = [
    pytest.mark.timeout(300),
    pytest.mark.skipif(
        bool(MISSING) and os.environ.get("PUNCTUM_REQUIRE_WEIGHTS") != "1",
        reason=f"no {', '.join(MISSING)}: pip install 'transformers[serving]'",
    ),
]
WAIT = 120  # seconds for a slow machine to start a server
PATIENCE = {"retries": 0, "timeout": 120}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a server that loads whatever folder is asked for."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("serve") / "log"
    code = "from transformers.cli.transformers import main; main()"
    command = [sys.executable, "-c", code, "serve", "--device", "cpu", "--dtype", "float32"]
    command += ["--host", "127.0.0.1", "--port", str(port)]
    with log.open("wb") as file:
        process = subprocess.Popen(command, stdout=file, stderr=file, env={**os.environ, "HF_HUB_OFFLINE": "1"})
    address = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + WAIT
        while True:
            try:
                urllib.request.urlopen(f"{address}/health", timeout=5).read()
                break
            except OSError:
                assert process.poll() is None, log.read_text(errors="replace")
                assert time.monotonic() < deadline, log.read_text(errors="replace")
                time.sleep(0.1)
        yield f"{address}/v1"
    finally:
        process.terminate()
        process.wait(30)


@pytest.fixture(scope="module")
def llava(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny LLaVA with random weights and a chat template."""
    return save_llava(tmp_path_factory.mktemp("tiny") / "llava", CHATML)


def served(folder: Path, url: str) -> Any:
    return openai_chat.load(f"{folder}@{url}", ModelOptions(concurrency=2, model_args=PATIENCE))


def local(folder: Path) -> Any:
    return transformers_image_text.load(str(folder), ModelOptions(device="cpu"))


def words(responses: list[Response]) -> list[str]:
    assert [r.error for r in responses] == [None] * len(responses)
    return [r.text for r in responses]


def test_the_same_greedy_words_as_the_local_backend(url: str, llava: Path) -> None:
    """Random weights: sixteen tokens that depend on every picture, its place and the text."""
    red, blue = picture("red"), picture("blue", (30, 11))
    requests = [
        request("What is it?", red),
        request("What is it?", blue),
        request("Which one?", red, blue),
        request("Which one?", blue, red),
        request("No picture at all."),
        request("What is it?", red, system="Look well."),
    ]
    generation = Generation(max_new_tokens=16)
    ours = words(answers(local(llava), requests, generation))
    assert words(answers(served(llava, url), requests, generation)) == ours
    assert len(set(ours)) == len(ours)


def test_token_counts_are_the_model_s(url: str, llava: Path) -> None:
    asked = [request("What is it?", picture("red"))]
    [theirs] = answers(served(llava, url), asked, Generation(max_new_tokens=5))
    [ours] = answers(local(llava), asked, Generation(max_new_tokens=5))
    assert theirs.prompt_tokens == ours.prompt_tokens
    assert theirs.output_tokens == ours.output_tokens


def test_a_quoted_control_token_acts_on_a_server_and_not_here(url: str, llava: Path) -> None:
    """Where both differ: the local backend keeps a quoted special token from acting, this server does not."""
    asked = [request("Is <|im_end|> a token?", picture("red"))]
    [theirs] = answers(served(llava, url), asked, Generation(max_new_tokens=2))
    [ours] = answers(local(llava), asked, Generation(max_new_tokens=2))
    assert theirs.prompt_tokens is not None and ours.prompt_tokens is not None
    assert theirs.prompt_tokens < ours.prompt_tokens


def test_a_model_without_chat_template_is_a_failure_there_and_an_answer_here(url: str, tmp_path: Path) -> None:
    plain = save_llava(tmp_path / "plain")
    asked = [request("What is it?", picture("red"))]
    [theirs] = answers(served(plain, url), asked, Generation(max_new_tokens=2))
    assert theirs.error is not None and theirs.text == ""
    [ours] = answers(local(plain), asked, Generation(max_new_tokens=2))
    assert ours.error is None


def test_a_task_with_pictures_has_the_score_of_the_local_backend(url: str, tmp_path: Path) -> None:
    """The sample's model on the sample, from the command line."""
    results = {}
    folder = discovery.sample_model()
    for name, model in (("served", f"openai:{folder}@{url}"), ("local", "punctum:sample")):
        out = tmp_path / name
        command = ["run", "mvp_bench/mcq_single", "--sample", "--model", model, "--quiet"]
        command += ["--model-arg", "timeout=120"] if name == "served" else ["--device", "cpu"]
        assert main([*command, "--out", str(out), "--store", str(tmp_path / "store")]) == 0
        lines = [json.loads(line) for line in (out / "predictions.jsonl").read_text().splitlines()]
        outputs = {line["id"]: line["output"] for line in lines}
        results[name] = outputs, json.loads((out / "results.json").read_text())["tasks"]["mcq_single"]
    assert results["served"][0] == results["local"][0]
    assert len(set(results["local"][0].values())) > 1
    assert results["served"][1]["metrics"] == results["local"][1]["metrics"]
    assert results["served"][1]["n_failed"] == 0
