"""The command `punctum`.

Exit codes: 0 done; 1 the run or the model failed; 2 the command line, the data or a file cannot be used as
given; 3 stopped, since the budget of calls or tokens was used up; 130 interrupted.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from importlib import import_module

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
        print(f"punctum {args.command}: {error}", file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        print(f"punctum {args.command}: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        return 1
    except (ValueError, OSError) as error:
        print(f"punctum {args.command}: {error}", file=sys.stderr)
        return 2
    return int(code)


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
