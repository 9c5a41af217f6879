"""``python -m benchmarks.mine FILE…``: the headline on texts of your own, beside the peers.

Each file is UTF-8 and has 2 MB or more. Ids and merges of every library are proved equal or right
on it before anything is timed, as in :mod:`benchmarks`; a text of 20 MB takes some five minutes.
"""

import argparse
from pathlib import Path

from benchmarks.__main__ import measured, show

LEAST_BYTES = 2_000_000
VOCABULARIES = (1_000, 32_000)
KINDS = ("list", "lists of strings", "array", "count")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mine", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--rounds", type=int, default=3, help="measurements of each cell")
    options = parser.parse_args()
    for path in options.files:
        if problem := problem_with(path):
            parser.error(f"{path} {problem}")
    paths = {path.stem: path for path in options.files}
    show(measured(paths, options.rounds, vocabularies=VOCABULARIES, kinds=KINDS))


def problem_with(path: Path) -> str | None:
    """Return why a file cannot be measured; ``None`` if it can."""
    try:
        data = path.read_bytes()
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    if len(data) < LEAST_BYTES:
        return f"has {len(data):,} bytes; give {LEAST_BYTES:,} or more"
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return f"is not UTF-8 at byte {error.start:,}; convert it first"
    if b"\n" not in data[:200_000]:
        return "has no line break in its first 200,000 bytes"
    return None


if __name__ == "__main__":
    main()
