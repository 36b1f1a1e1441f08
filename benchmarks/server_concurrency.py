"""How near the server backend comes to the ideal: 500 questions, a server that takes 50 ms for each.

A server on the loopback interface, in a process of its own, answers every call after the same time, however many come
at once. With `n` calls at a time the ideal is `ceil(questions / n)` times that. Measured is what `punctum run` does
between loading and scoring: keys, the store on disk, pictures as data URLs, the calls, keeping each answer. Beside it
stands a client that does nothing but send bytes: what the machine allows at this moment. The best of three counts.

    python benchmarks/server_concurrency.py [--questions 500] [--latency 0.05] [--concurrency 4,16,64] [--json]
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import io
import json
import math
import multiprocessing
import os
import sys
import tempfile
import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path

import punctum
from punctum.evaluators.asking import ask
from punctum.evaluators.models.base import ModelOptions
from punctum.evaluators.models.loading import load_model
from punctum.records import Generation, Picture, Request, Sample, Unit
from punctum.store import ResponseStore

WANTED = 0.9  # of the ideal, at 16 calls at a time
AT = 16
COLOURS = 50  # pictures; ten questions on each

ANSWER = json.dumps(
    {
        "id": "chatcmpl-0",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "B"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 1, "total_tokens": 101},
    }
).encode()
HEAD = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(ANSWER)}\r\n\r\n".encode()


def serve(latency: float, port: Connection) -> None:
    """Answer every call after `latency` seconds, and say at which port."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                await reader.readexactly(int(head.split(b"content-length:")[1].split(b"\r\n")[0]))
                await asyncio.sleep(latency)
                writer.write(HEAD + ANSWER)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def run() -> None:
        server = await asyncio.start_server(talk, "127.0.0.1", 0, limit=1 << 24)
        port.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


def questions(count: int) -> list[Request]:
    """Questions on small pictures, several on each."""
    from PIL import Image

    pictures = []
    for number in range(COLOURS):
        buffer = io.BytesIO()
        Image.new("RGB", (224, 224), (number * 5, 255 - number * 5, 90)).save(buffer, "JPEG")
        pictures.append(Picture(data=buffer.getvalue()))
    made = []
    for number in range(count):
        sample = Sample(Unit(f"q{number}", "t"), "choice", (0,), ("a", "b"))
        made.append(Request(sample, f"Question {number}: which?\nA. one\nB. other", (pictures[number % COLOURS],)))
    return made


def bare(port: int, count: int, concurrency: int) -> float:
    """Seconds that threads take which only send and receive."""
    numbers, lock = iter(range(count)), threading.Lock()

    def work() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        while True:
            with lock:
                if next(numbers, None) is None:
                    return
            connection.request("POST", "/v1/chat/completions", b"x" * 2000)
            connection.getresponse().read()

    threads = [threading.Thread(target=work) for _ in range(concurrency)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - start


def measure(url: str, requests: list[Request], concurrency: int, folder: Path) -> float:
    """Seconds from the first key to the last answer kept."""
    model = load_model(f"openai:m@{url}", ModelOptions(concurrency=concurrency))
    with ResponseStore(folder / f"{concurrency}.sqlite") as store:
        start = time.perf_counter()
        answered = sum(response.error is None for _, response in ask(model, requests, Generation(), store))
        seconds = time.perf_counter() - start
    if answered != len(requests):
        raise RuntimeError(f"{answered} of {len(requests)} questions were answered")
    return seconds


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=500)
    parser.add_argument("--latency", type=float, default=0.05, help="seconds")
    parser.add_argument("--concurrency", default="4,16,64", help="calls at a time, joined by commas")
    parser.add_argument("--repeat", type=int, default=3, help="times; the best counts")
    parser.add_argument("--json", action="store_true", help="end with one JSON object")
    args = parser.parse_args()
    os.environ.pop("OPENAI_API_KEY", None)
    receiving, sending = multiprocessing.Pipe(duplex=False)
    server = multiprocessing.Process(target=serve, args=(args.latency, sending), daemon=True)
    server.start()
    port = receiving.recv()
    url = f"http://127.0.0.1:{port}/v1"
    requests = questions(args.questions)
    results = {}
    print(f"punctum {punctum.__version__}: {args.questions} questions, {1000 * args.latency:g} ms each")
    print("at a time   seconds   ideal   share of the ideal   a bare client's")
    with tempfile.TemporaryDirectory() as name:
        measure(url, requests[:AT], AT, Path(name))  # imports
        for concurrency in map(int, args.concurrency.split(",")):
            folders = [Path(name, f"{concurrency}-{number}") for number in range(args.repeat)]
            for folder in folders:
                folder.mkdir()
            seconds = min(measure(url, requests, concurrency, folder) for folder in folders)
            ideal = math.ceil(len(requests) / concurrency) * args.latency
            reference = min(bare(port, len(requests), concurrency) for _ in folders)
            shares = {"share": ideal / seconds, "share_bare": ideal / reference}
            results[concurrency] = {"seconds": seconds, "ideal": ideal, **shares}
            wanted = f" (wanted: {WANTED})" if concurrency == AT else ""
            print(f"{concurrency:9}   {seconds:7.2f}   {ideal:5.2f}   ", end="")
            print(f"{f'{ideal / seconds:.2f}{wanted}':18}   {ideal / reference:.2f}")
    server.terminate()
    if args.json:
        print(json.dumps({"questions": args.questions, "latency": args.latency, "concurrency": results}))
    return int(AT in results and results[AT]["share"] < WANTED)


if __name__ == "__main__":
    sys.exit(main())
