r"""A split pattern of one's own: a regular expression from a form, a file or a URL.

It is written ``regex:`` and the expression, as in ``regex:\p{Han}|\P{Han}+``. A few characters can
ask for gigabytes or for hours, and compiling cannot be stopped from outside: so each expression is
first compiled in a process with limits (:mod:`bpe.sandbox`) and tried on texts at which
expressions run away. Matching is limited in time ever after.
"""

import contextlib
import struct
import time
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from bpe.errors import BPEError, Refusals, TooLargeError, TooLongError
from bpe.text.readable import readable

if TYPE_CHECKING:
    import regex

PREFIX = "regex:"
LONGEST = 2_000
"""Characters of an expression; the longest published one has some 700."""

SECONDS = 5.0
"""Of the processor, as all seconds here; for what is tried with an expression in all."""
COMPILE_SECONDS = 1.0
COMPILE_BYTES = 64 * 2**20
MATCH_SECONDS = 3.0
"""For one text, and for each :data:`CHARACTERS_A_SECOND` of it one more."""
CHARACTERS_A_SECOND = 200_000

_refusals = Refusals()
_MEMORY = 256 * 2**20
_SHOWN = 20
_AT_ONCE = 512  # matches, so that only the work of the expression is timed
_SLACK_SECONDS = 2.0
_END = struct.Struct("<I?")
_TRIES = (1, 10)
"""How many times as long the library's clock may run: other threads of the process drive it on."""

# What no other library has, and what makes an expression of some bytes take any amount of memory.
_REFUSED = r"\(\?(?:R|[+-]?\d|&|P>|\|)|\\[LKG]|(?<!\\)\{[^{}]*[eids]\s*<|\(\*[A-Z]|\{[eids]\}"
_TRIED = tuple(unit * 2_000 + end for unit in "a1 中.\n" for end in ("", "!", "\x00"))


def is_own(pattern: str) -> bool:
    """Whether a split pattern is an expression, and not the name of a published one."""
    return pattern.startswith(PREFIX)


def expression(pattern: str) -> str:
    return pattern.removeprefix(PREFIX)


def compiled(pattern: str) -> "regex.Pattern[str]":
    """Return the compiled expression; one that cannot be used raises :class:`BPEError`."""
    _check(expression(pattern))
    return _compiled(expression(pattern))


@lru_cache(maxsize=64)
def _compiled(source: str) -> "regex.Pattern[str]":
    import regex

    return regex.compile(source, regex.V1)


@lru_cache(maxsize=256)
def _check(source: str) -> None:
    """Raise what is wrong with an expression, found out in a process of its own."""
    import regex

    from bpe import sandbox  # only here, as few patterns are checked

    if not source:
        raise BPEError("The split pattern is empty. Write a regular expression.")
    if len(source) > LONGEST:
        raise BPEError("The split pattern is longer than {most} characters.", most=LONGEST)
    if regex.search(_REFUSED, source):
        raise BPEError(
            "Recursion, fuzzy matching and the like are not understood in a split pattern: no "
            "other library would read it."
        )
    try:
        with _refusals.of(source):
            data = source.encode("utf-8", "surrogatepass")
            sandbox.run(f"{__name__}:try_out", data, seconds=SECONDS, memory=_MEMORY)
    except (TooLongError, TooLargeError) as error:
        raise _runs_away() from error


def try_out(data: bytes) -> bytes:
    """Compile an expression and match it with texts at which many run away; in a process."""
    import regex

    source = data.decode("utf-8", "surrogatepass")
    began, before = time.process_time(), _memory()
    try:
        pattern = regex.compile(source, regex.V1)
    except (regex.error, ValueError, OverflowError, RecursionError) as error:
        place = getattr(error, "pos", None)
        raise BPEError(
            "The split pattern is not a regular expression: “{reason}” (near character {place}).",
            reason=str(getattr(error, "msg", error)),
            place=f"{max(1, len(source) if place is None else place):,}",
        ) from error
    if time.process_time() - began > COMPILE_SECONDS or _memory() - before > COMPILE_BYTES:
        raise _runs_away()
    if pattern.match("") is not None:
        raise BPEError(
            "The split pattern also matches nothing at all, as “a*” does. Let each alternative "
            "match at least one character."
        )
    for text in _TRIED:
        for _piece in pieces(pattern, text):
            pass
    return b""


def pieces(pattern: "regex.Pattern[str]", text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield where each piece of ``text`` begins and ends, and whether the expression matches it.

    Together they are the text: what is not matched is a piece, too, as in Hugging Face
    ``tokenizers``. More than some seconds of matching raise :class:`BPEError`. Each character may
    take 160 bytes meanwhile, so that a text longer than :class:`bpe.sandbox.Limits` allow is
    matched in a process of its own.
    """
    from bpe import sandbox  # only here, as few patterns are checked

    seconds = MATCH_SECONDS + len(text) / CHARACTERS_A_SECOND
    with _refusals.of((pattern.pattern, hash(text))):
        if len(text) <= sandbox.limits().characters_matched:
            yield from _pieces(pattern, text, seconds)
            return
        data = sandbox.pack(None, [pattern.pattern, text])
        limit = seconds + _SLACK_SECONDS
        try:
            ends = sandbox.run(f"{__name__}:ends_of", data, seconds=limit, seconds_left=seconds)
        except (TooLongError, TooLargeError) as error:
            raise _runs_away() from error
    start = 0
    for end, matches in _END.iter_unpack(ends):
        yield start, end, matches
        start = end


def ends_of(data: bytes, seconds_left: float) -> bytes:
    """Return where each piece of a text ends and whether it is a match; called in a process."""
    from bpe import sandbox  # only here, as few patterns are checked

    _nothing, (source, text) = sandbox.unpack(data)
    pieces = _pieces(_compiled(source), text, seconds_left)
    return b"".join(_END.pack(end, matches) for _start, end, matches in pieces)


def _pieces(
    pattern: "regex.Pattern[str]", text: str, seconds: float
) -> Iterator[tuple[int, int, bool]]:
    began = done = 0
    while began < len(text):
        started = time.thread_time()
        matches = _next_matches(pattern, text, began, seconds)
        seconds -= time.thread_time() - started
        for match in matches:
            start, end = match.span()
            if start < done or start == end:
                continue
            if start > done:
                yield done, start, False
            yield start, end, True
            done = end
        if not matches:
            break
        if seconds <= 0:
            raise _runs_away()
        began = matches[-1].end()
    if done < len(text):
        yield done, len(text), False


def _next_matches(
    pattern: "regex.Pattern[str]", text: str, began: int, seconds: float
) -> "list[regex.Match[str]]":
    """Return the next matches; the library's clock counts the work of all threads of a process."""
    for times in _TRIES:
        started = time.thread_time()
        try:
            matches = pattern.finditer(text, began, timeout=times * seconds, concurrent=True)
            return list(islice(matches, _AT_ONCE))
        except MemoryError:
            break
        except TimeoutError:
            if time.thread_time() - started > 0.9 * seconds:
                break
    raise _runs_away()


def split_wholly(pattern: str, text: str) -> Iterator[tuple[int, int]]:
    """Yield the pieces of ``text``; one that the expression leaves out raises :class:`BPEError`.

    For texts to train on, where what is left out is a slip.
    """
    before = None
    for start, end, matches in pieces(compiled(pattern), text):
        if not matches:
            if before is None and end == len(text):
                raise BPEError("The split pattern matches nothing in this text.")
            raise BPEError(
                "The split pattern leaves out “{text}” at character {place}. Add an alternative "
                "for it: “|[\\s\\S]” at the end takes whatever is left.",
                text=readable(text[start : min(end, start + _SHOWN)].encode()),
                place=f"{start + 1:,}",
            )
        before = start
        yield start, end


def _runs_away() -> BPEError:
    return BPEError(
        "The split pattern needs too much time or memory, as repeats inside of repeats do: (a+)+. "
        "Use a simpler one."
    )


def _memory() -> int:
    """Return the most bytes that this process has had; where the system does not tell, 0."""
    with contextlib.suppress(OSError, ValueError):
        # What getrusage says of a new process begins with the memory of the one that started it.
        lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        return 1024 * int(lines.partition("VmHWM:")[2].partition("kB")[0])
    return 0
