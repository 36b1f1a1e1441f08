"""The command `punctum`.

Exit codes: 0 done; 1 the run or the model failed; 2 the command line, the data or a file cannot be used as
given; 3 stopped, since the budget of calls or tokens was used up; 130 interrupted.
"""

from __future__ import annotations

import argparse
import codecs
import logging
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TextIO

from punctum import discovery
from punctum.arguments.common import sentence
from punctum.version import __version__


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command.

    Args:
        argv: the words after `punctum`; those of the process when None.

    Returns:
        the exit code.
    """
    for stream in (sys.stdout, sys.stderr):
        _let_write_all(stream)
    args = _parser().parse_args(argv)
    if getattr(args, "quiet", False):
        os.environ.setdefault("TQDM_DISABLE", "1")  # the bars of datasets and transformers
    logging.basicConfig(
        format="%(levelname)s: %(message)s",
        level=logging.ERROR if getattr(args, "quiet", False) else logging.WARNING,
    )
    command = import_module(f"punctum.commands.{args.command}")
    from punctum.commands.common import Failed

    try:
        code = command.main(args)
    except Failed as error:
        return _told(args.command, error, error.code)
    except KeyboardInterrupt:
        return _told(args.command, "interrupted", 130)
    except BrokenPipeError:
        return 1
    except (ValueError, OSError) as error:
        return _told(args.command, error, 2)
    return int(code)


def _let_write_all(stream: TextIO) -> None:
    """Let a stream take every character: a run must not fail at its table, since the locale is `C`.

    Files and pipes get UTF-8; terminals, and streams whose encoding the user chose, a mark for what they lack.
    """
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is None or codecs.lookup(stream.encoding).name == "utf-8":
        return
    if stream.isatty() or os.environ.get("PYTHONIOENCODING"):
        reconfigure(errors="replace")
    else:
        reconfigure(encoding="utf-8")


def _told(command: str, error: object, code: int) -> int:
    from punctum.sheets import printable

    print(f"punctum {command}: {printable(str(error), chr(10))}", file=sys.stderr)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="punctum",
        description="Evaluate models on what images mean.",
        epilog=(__doc__ or "").partition("\n\n")[2],
    )
    parser.add_argument("--version", action="version", version=f"punctum {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, module in discovery.commands().items():
        module.add(commands.add_parser(name, help=module.HELP, description=sentence(module.HELP)))
    return parser


if __name__ == "__main__":
    sys.exit(main())
