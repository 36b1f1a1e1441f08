"""A headless Chromium for tests: open a page from disk, click, type, look.

It speaks the DevTools protocol over a pair of pipes, so it needs no driver, no port and no package. The browser
finds no host but the disk: every name resolves to nothing. What a page asks for is kept in `Page.requests`, what
went wrong on it in `Page.problems`.

    with Browser() as browser:
        page = browser.page(width=390, height=844, dark=True)
        page.open(folder / "index.html")
        page.click("#next")
        page.press("j")
        page.wait("document.querySelectorAll('li').length === 3")
        assert page.text("h1") == "Done" and page.problems == []
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--headless",
    "--remote-debugging-pipe",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-proxy-server",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--lang=en-US",
)
#: The browser reads commands from descriptor 3 and writes to 4.
_START = "import os,sys; os.dup2(int(sys.argv[1]),3); os.dup2(int(sys.argv[2]),4); os.execv(sys.argv[3],sys.argv[3:])"
_KEYS: dict[str, tuple[int, str]] = {  # name: (key code, what it types)
    "Enter": (13, "\r"),
    "Tab": (9, ""),
    "Escape": (27, ""),
    "Backspace": (8, ""),
    "Delete": (46, ""),
    "ArrowLeft": (37, ""),
    "ArrowUp": (38, ""),
    "ArrowRight": (39, ""),
    "ArrowDown": (40, ""),
    "PageUp": (33, ""),
    "PageDown": (34, ""),
    "End": (35, ""),
    "Home": (36, ""),
    " ": (32, " "),
}
_MODIFIERS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}


class BrowserError(AssertionError):
    """The page or the browser did not do what it was told."""


def find() -> str | None:
    """The browser's program, by `PUNCTUM_CHROMIUM` or by its usual names; None without one."""
    named = os.environ.get("PUNCTUM_CHROMIUM")
    return named or next((found for name in NAMES if (found := shutil.which(name))), None)


class Browser:
    """A running browser with a profile of its own; leaving the `with` block ends it.

    Args:
        program: the browser; None looks for it.
        timeout: seconds that one command or wait may take; generous, since machines are busy.
    """

    def __init__(self, program: str | None = None, timeout: float = 60) -> None:
        program = program or find()
        if program is None:
            raise BrowserError(f"no browser: none of {', '.join(NAMES)} on the path")
        self.timeout = timeout
        self._profile = tempfile.TemporaryDirectory(prefix="punctum-browser-", ignore_cleanup_errors=True)
        their_end, self._to = os.pipe()
        self._from, their_other_end = os.pipe()
        ends = (their_end, their_other_end)
        flags = [*FLAGS, f"--user-data-dir={self._profile.name}"]
        if os.geteuid() == 0:  # the sandbox refuses root
            flags.append("--no-sandbox")
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, *map(str, ends), program, *flags, "about:blank"],
            pass_fds=ends,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        for end in ends:
            os.close(end)
        self._unread = b""
        self._last_id = 0
        self._pages: dict[str, Page] = {}

    def page(self, width: int = 1280, height: int = 900, dark: bool = False, phone: bool = False) -> Page:
        """A new empty page. `phone` gives it touch and a phone's way to lay out."""
        target = self.command("Target.createTarget", {"url": "about:blank"})["targetId"]
        session = self.command("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        page = self._pages[session] = Page(self, target, session)
        for domain in ("Page", "Runtime", "Network", "Log"):
            page.command(f"{domain}.enable")
        page.looks(width, height, dark=dark, phone=phone)
        return page

    def saves_to(self, folder: Path) -> None:
        """Let pages save files (links with `download`) into a folder."""
        self.command("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})

    def command(
        self, method: str, values: Mapping[str, Any] | None = None, session: str | None = None
    ) -> dict[str, Any]:
        """Send a command of the DevTools protocol and wait for its result.

        Raises:
            BrowserError: if the browser refuses it, ends, or is silent for too long.
        """
        self._last_id += 1
        message: dict[str, Any] = {"id": self._last_id, "method": method, "params": dict(values or {})}
        if session is not None:
            message["sessionId"] = session
        try:
            os.write(self._to, json.dumps(message).encode() + b"\0")
        except BrokenPipeError as error:
            raise BrowserError(f"the browser has ended; {method} was not sent") from error
        deadline = time.monotonic() + self.timeout
        while True:
            answer = self._read(deadline, method)
            if answer.get("id") == message["id"]:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error'].get('message')}")
                return dict(answer["result"])
            self._note(answer)

    def _note(self, event: Mapping[str, Any]) -> None:
        page = self._pages.get(event.get("sessionId", ""))
        if page is not None and "method" in event:
            page.note(event["method"], event["params"])

    def _read(self, deadline: float, what: str) -> dict[str, Any]:
        while b"\0" not in self._unread:
            ready, _, _ = select.select([self._from], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise BrowserError(f"the browser says nothing to {what} for {self.timeout:.0f} s")
            more = os.read(self._from, 1 << 20)
            if not more:
                raise BrowserError(f"the browser ended during {what}")
            self._unread += more
        message, _, self._unread = self._unread.partition(b"\0")
        return dict(json.loads(message))

    def close(self) -> None:
        """End the browser and remove its profile."""
        for end in (self._to, self._from):
            os.close(end)
        try:
            self._process.wait(10)  # it ends when its pipe does
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)  # its own group: nobody else is in it
            self._process.wait()
        self._profile.cleanup()

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()


class Page:
    """One tab.

    Attributes:
        requests: the address of everything that the page asked for.
        problems: console errors and warnings, exceptions, refused requests and content, dialogs.
    """

    def __init__(self, browser: Browser, target: str, session: str) -> None:
        self._browser = browser
        self._target = target
        self._session = session
        self.requests: list[str] = []
        self.problems: list[str] = []

    def command(self, method: str, **values: Any) -> dict[str, Any]:
        """A command of the DevTools protocol for this tab."""
        return self._browser.command(method, values, self._session)

    def note(self, event: str, values: Mapping[str, Any]) -> None:
        """Keep what matters of an event."""
        if event == "Network.requestWillBeSent":
            self.requests.append(values["request"]["url"])
        elif event == "Runtime.exceptionThrown":
            details = values["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description") or details["text"])
        elif event == "Runtime.consoleAPICalled" and values["type"] in ("error", "warning", "assert"):
            self.problems.append(" ".join(str(a.get("value", a.get("description"))) for a in values["args"]))
        elif event == "Log.entryAdded" and values["entry"]["level"] in ("error", "warning"):
            entry = values["entry"]
            self.problems.append(f"{entry['source']}: {entry['text']} {entry.get('url', '')}".rstrip())
        elif event == "Page.javascriptDialogOpening":
            self.problems.append(f"dialog: {values['message']}")

    def looks(self, width: int, height: int, dark: bool = False, phone: bool = False) -> None:
        """Set the window's size, its colour scheme, and whether it is a phone's."""
        self.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone
        )
        self.command("Emulation.setTouchEmulationEnabled", enabled=phone)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        calm = {"name": "prefers-reduced-motion", "value": "reduce"}
        self.command("Emulation.setEmulatedMedia", features=[scheme, calm])

    def open(self, where: Path | str) -> None:
        """Open a file or an address, and wait until it is loaded."""
        address = where.resolve().as_uri() if isinstance(where, Path) else where
        answer = self.command("Page.navigate", url=address)
        if answer.get("errorText"):
            raise BrowserError(f"{address}: {answer['errorText']}")
        self.loaded()

    def reload(self) -> None:
        """Load the page again."""
        self.eval("window.__before_reload = true")
        self.command("Page.reload")
        self.wait("!window.__before_reload")
        self.loaded()

    def back(self) -> None:
        """The back button."""
        self.eval("history.back()")

    def loaded(self) -> None:
        """Wait until the document and everything in it is there."""
        self.wait("document.readyState === 'complete'")

    def eval(self, expression: str) -> Any:
        """The value of a JavaScript expression, as JSON; a promise is awaited.

        Raises:
            BrowserError: if it throws.
        """
        answer = self.command(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, userGesture=True
        )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def wait(self, condition: str, timeout: float | None = None) -> Any:
        """Wait until an expression is true, and give its value.

        Raises:
            BrowserError: if it does not become true; says what the page complained of.
        """
        seconds = timeout or self._browser.timeout
        deadline = time.monotonic() + seconds
        while True:
            try:
                value = self.eval(condition)
            except BrowserError as error:  # between two documents there is nothing to ask
                passing = "context" in str(error) or "navigated" in str(error)
                if time.monotonic() > deadline or not passing:
                    raise
                value = None
            if value:
                return value
            if time.monotonic() > deadline:
                raise BrowserError(f"not true after {seconds:.0f} s: {condition}; the page says: {self.problems}")
            time.sleep(0.02)

    def hears(self, words: str) -> None:
        """Wait until something that contains these words is among the problems.

        Raises:
            BrowserError: if nothing is.
        """
        deadline = time.monotonic() + self._browser.timeout
        while not any(words in problem for problem in self.problems):
            if time.monotonic() > deadline:
                raise BrowserError(f"nothing with {words!r} among the problems: {self.problems}")
            self.eval("new Promise(done => setTimeout(done, 20))")

    def text(self, selector: str) -> str:
        """The text of the first element of a CSS selector, as shown."""
        return str(self.eval(f"{self._find(selector)}.innerText"))

    def texts(self, selector: str) -> list[str]:
        """The texts of all elements of a CSS selector, as shown."""
        return list(self.eval(f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.innerText)"))

    def count(self, selector: str) -> int:
        """How many elements a CSS selector finds."""
        return int(self.eval(f"document.querySelectorAll({json.dumps(selector)}).length"))

    def click(self, selector: str) -> None:
        """Click with the mouse on the middle of the first element of a CSS selector.

        Raises:
            BrowserError: if there is none, it has no size, or something else lies over it.
        """
        self.wait(f"document.querySelector({json.dumps(selector)}) !== null")
        x, y = self.eval(
            f"""(() => {{
                const element = {self._find(selector)};
                element.scrollIntoView({{block: "center", inline: "center", behavior: "instant"}});
                const box = element.getClientRects()[0];
                if (!box || !box.width || !box.height) throw new Error({json.dumps(selector)} + " has no size");
                const x = box.x + box.width / 2, y = box.y + box.height / 2;
                const hit = document.elementFromPoint(x, y);
                if (!hit || !(element.contains(hit) || hit.contains(element)))
                    throw new Error({json.dumps(selector)} + " lies under " + (hit ? hit.outerHTML.slice(0, 200) : 0));
                return [x, y];
            }})()"""
        )
        at: dict[str, Any] = {"x": x, "y": y, "button": "left", "clickCount": 1}
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.command("Input.dispatchMouseEvent", type=kind, **at)

    def choose(self, selector: str, value: str) -> None:
        """Choose an option of a `select` by its value, as a person's choice is reported to the page."""
        self.eval(
            f"""(() => {{
                const element = {self._find(selector)}, value = {json.dumps(value)};
                if (![...element.options].some(option => option.value === value))
                    throw new Error("no option " + value + ": " + [...element.options].map(o => o.value));
                element.value = value;
                element.dispatchEvent(new Event("input", {{bubbles: true}}));
                element.dispatchEvent(new Event("change", {{bubbles: true}}));
            }})()"""
        )

    def press(self, key: str, *held: str) -> None:
        """Press a key: one character, or a name such as `Enter`, `ArrowDown`, `Escape`; `held` as `Shift`."""
        modifiers = sum(_MODIFIERS[name] for name in held)
        if len(key) > 1 and key not in _KEYS:
            raise BrowserError(f"no key {key!r}; known: one character, {', '.join(filter(str.strip, _KEYS))}")
        plain = len(key) == 1 and key.isascii() and key.isalnum()
        code, typed = _KEYS[key] if key in _KEYS else (ord(key.upper()) if plain else 0, key)
        values: dict[str, Any] = {"key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        down = {"type": "keyDown", "text": typed} if typed and modifiers in (0, 8) else {"type": "rawKeyDown"}
        self.command("Input.dispatchKeyEvent", **down, **values)
        self.command("Input.dispatchKeyEvent", type="keyUp", **values)

    def type(self, text: str, into: str | None = None) -> None:
        """Type a text, after a click into an element where one is given."""
        if into is not None:
            self.click(into)
        for character in text:
            self.press(character)

    def screenshot(self, path: Path, whole: bool = False) -> Path:
        """Save what is seen, or the whole page, as PNG."""
        shot = self.command("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(shot["data"]))
        return path

    def close(self) -> None:
        """Close the tab."""
        self._browser.command("Target.closeTarget", {"targetId": self._target})

    @staticmethod
    def _find(selector: str) -> str:
        quoted = json.dumps(selector)
        return f"(document.querySelector({quoted}) ?? (() => {{ throw new Error('nothing is ' + {quoted}); }})())"
