"""``python -m fuzz.attack [--minutes 10] [--limit 1024] [--seed N]``: attack a small server.

Starts the app with so many MiB of memory (a control group of Linux, which needs root), visits it
until it holds what it usually does, and then sends hostile files, links and session files, several
at a time and in random order, while another visitor clicks, from a process of its own. Prints a
Markdown table, and ends with 1 where the server did not survive, a visitor saw a traceback, an
answer did not come, or the other waited longer than :data:`LONGEST` seconds for a click.
"""

import argparse
import hashlib
import json
import random
import re
import struct
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from urllib.error import URLError

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Common_pb2 import FileURLsRequest, SInt64Array, StringArray
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosed

from bpe.documents.documents import CorpusSource
from bpe.documents.untrusted import ENTRY
from bpe.encoders import catalog
from fuzz import hostile_files
from fuzz.hostile_files import zipped
from playground.learn.lessons import LESSONS
from playground.share import codec
from playground.share.codec import OwnTokenizer, State
from playground.share.session_file import FORMAT
from tests.support.browser import ROOT, Server, memory_of, served
from tests.support.visitor import Visitor, visits

LONGEST = 2.0
AT_ONCE = 3
TABS = 80
COMING_BACK = 150
"""Seconds: Streamlit keeps a session whose connection broke for two minutes."""

HOSTILE = (["en"], True, -1, 10**400, 1e308, None, "", [], [True, 0.5], "\x00\u202e<b>", "٣")
"""Values of JSON, of all types, for fields of links and session files."""

VIEWS = [
    *(("compare", {"view": view}) for view in ("text", "languages", "vocabulary", "files")),
    *(
        ("cost", {"section": section})
        for section in ("languages", "month", "batch", "conversation", "window", "prices")
    ),
    ("train", {}),
    *(("learn", {"lesson": lesson.code}) for lesson in LESSONS[::4]),
]
"""Pages and what shows each of their views."""

KINDS = (
    *("bidi_component", "button", "button_group", "checkbox", "file_uploader", "multiselect"),
    *("number_input", "selectbox", "slider", "text_area", "text_input"),
)
_SENT = ("act", "asked", "edit", "merges", "placed", "score", "settled", "state", "steps", "stored")
FORGED: tuple[dict[str, Any], ...] = (
    {"json_value": "["},
    {"json_value": '{"edit": []}'},
    {"json_value": '{"edit": {"at": {}}}'},
    {"json_value": json.dumps({name: [1, None, "a"] for name in _SENT})},
    {"string_value": "\x00"},
    {"int_value": -1},
    {"double_value": float("nan")},
    {"bool_value": True},
    {"bytes_value": b"a"},
    {"string_array_value": StringArray(data=["a", "b"])},
    {"int_array_value": SInt64Array(data=[2**60])},
)
"""What a browser might send of a widget, whatever it is."""

_CORPUS = ("", "corpus=upload", "corpus_files")
_TOKENIZERS = ("compare", "", "tokenizer_files")
_UPLOADS = {
    "corpus": _CORPUS,
    "strict corpus": _CORPUS,
    "archive": _CORPUS,
    "shard": _CORPUS,
    "pairs": ("compare", "view=languages&parallel=table", "parallel_table"),
    "tokenizer": _TOKENIZERS,
    "session": ("learn", "lesson=merge", "session_file"),
}
"""Page, query and key of the upload that reads what :mod:`fuzz.hostile_files` calls so."""

Attack = Callable[[str], list[str]]
"""Does something to the server at a URL; returns the tracebacks that it was shown."""


def opened(page: str, query: str, url: str) -> list[str]:
    with Visitor(url, "" if page == "train" else page, f"lang=en&{query}") as visitor:
        return visitor.exceptions


def uploaded(reader: str, name: str, content: bytes, url: str) -> list[str]:
    page, query, key = _UPLOADS[reader]
    with Visitor(url, page, f"lang=en&{query}") as visitor:
        if reader == "session":
            visitor.open("share")
        offered = tuple(visitor.widget("file_uploader", key).type)
        if name.lower().endswith(offered):  # others Streamlit refuses with an exception of its own
            with suppress(URLError):  # as it does names and sizes
                visitor.upload(key, name, content)
        return visitor.exceptions


def dropped(url: str) -> list[str]:
    """Open many tabs, and close each before its page is there."""
    for _number in range(TABS):
        visitor = Visitor(url, "compare", "lang=en")
        visitor.connect()
        visitor.rerun(wait=False)
        visitor.close()
    return []


def many_uploads(url: str) -> list[str]:
    """Upload files that no page reads: chosen all at once, and under ids that nobody gave out."""
    data = b"ab " * 16_000_000
    with Visitor(url, "", "lang=en&corpus=upload") as visitor:
        addresses = [urls.upload_url for urls in visitor.upload_urls(*["a.txt"] * 21)]
        invented = [f"/_stcore/upload_file/{visitor.session}/{number}" for number in range(3)]
        for address in invented + addresses:
            with suppress(URLError):  # 404, and 413
                visitor.put(address, "a.txt", data)
        visitor.rerun()
        return visitor.exceptions


def caches_cleared(url: str) -> list[str]:
    """Send what developers press ``c`` for, many times."""
    with Visitor(url, "learn", "lang=en") as visitor:
        for _number in range(450):
            visitor.send(BackMsg(clear_cache=True))
            visitor.rerun(wait=False)
        return visitor.exceptions


def framed(_name: str, size: str, make: Callable[[Visitor, int], BackMsg], url: str) -> list[str]:
    """Send one message, of which much is made before a page looks at it."""
    with Visitor(url, "compare", "lang=en") as visitor, suppress(ConnectionClosed):  # as too large
        message = make(visitor, int(size))
        visitor.send(message)
        if message.WhichOneof("type") == "rerun_script":
            visitor.wait()
        else:
            visitor.rerun()
    return []  # its own page may say what it thinks of a forged state


def forged(page: str, query: str, url: str) -> list[str]:
    """Send each widget of a page values of other kinds, and components ones of another shape."""
    with Visitor(url, "" if page == "train" else page, f"lang=en&{query}") as visitor:
        ids = sorted({each for kind in KINDS for each in visitor.ids(kind)})
        for value in FORGED:
            message = BackMsg()
            message.rerun_script.query_string = visitor.query
            for each in ids:
                message.rerun_script.widget_states.widgets.append(WidgetState(id=each, **value))
            visitor.send(message)
            visitor.wait()
        return visitor.exceptions


def _frames() -> Iterator[tuple[str, Attack]]:
    """Yield messages of just below 2 MB, which Streamlit takes, and of 15, which it should not."""

    def widget(visitor: Visitor, **value: Any) -> BackMsg:
        message = BackMsg()
        box = visitor.widget("bidi_component", "compare_en editor").id
        message.rerun_script.widget_states.widgets.append(WidgetState(id=box, **value))
        return message

    def invented(visitor: Visitor, size: int) -> BackMsg:
        message = BackMsg()
        for number in range(size // 12):
            message.rerun_script.widget_states.widgets.add(id=f"{number:07}", bool_value=True)
        return message

    kinds: dict[str, Callable[[Visitor, int], BackMsg]] = {
        "lists": lambda visitor, size: widget(
            visitor, json_value='{"edit":[' + "[]," * (size // 3) + "[]]}"
        ),
        "deep": lambda visitor, size: widget(visitor, json_value='{"edit":' + "[" * size),
        "numbers": lambda visitor, size: widget(
            visitor, int_array_value=SInt64Array(data=[0] * size)
        ),
        "texts": lambda visitor, size: widget(
            visitor, string_array_value=StringArray(data=[""] * (size // 2))
        ),
        "widgets": invented,
        "hashes": lambda _visitor, size: BackMsg(
            rerun_script=ClientState(cached_message_hashes=[""] * (size // 2))
        ),
        "file names": lambda visitor, size: BackMsg(
            file_urls_request=FileURLsRequest(
                request_id="a", session_id=visitor.session, file_names=[""] * (size // 2)
            )
        ),
        "bytes": lambda visitor, size: widget(visitor, bytes_value=bytes(size)),
    }
    for name, make in kinds.items():
        for size in (1_900_000, 15_000_000, *([190_000_000] if name == "bytes" else [])):
            yield f"messages ({name})", partial(framed, name, str(size), make)


def _session(state: bytes = b'{"page":"learn"}', texts: bytes = b"[]", field: str = "") -> bytes:
    """Return a session file with that state, those texts of one upload, and that of one field."""
    members = {"state.json": state, "files/0.json": texts, "texts/0.txt": field.encode()}
    head = {
        "format": FORMAT,
        "version": 1,
        "digests": {name: hashlib.sha256(content).hexdigest() for name, content in members.items()},
        "texts": {"note": "texts/0.txt"},
        "files": [{"key": "corpus_files", "name": "a.txt", "file": "files/0.json"}],
        "tokenizers": [],
    }
    return zipped({"manifest.json": json.dumps(head).encode(), **members})


@cache
def _large() -> list[tuple[str, str, bytes]]:
    """Return readers, names and contents of files that ask for memory or time."""
    return [(reader, name, content()) for reader, name, content in _makers()]


def _makers() -> Iterator[tuple[str, str, Callable[[], bytes]]]:
    head, lists = b'{"text": "hello", "x": [', b"[]," * 10_000_000
    ours = b'{"format": "bpe-playground-session", "x": [' + lists
    own = b'{"format": "bpe-playground", "merges": [' + lists
    words = b'["' + b'ab","' * 8_000_000 + b'"]'
    yield "corpus", "lists.jsonl", lambda: head + lists + b"[]]}"
    yield "corpus", "lists.zip", lambda: zipped({"a.jsonl": head + lists, "b.jsonl": lists})
    yield "corpus", "lines.jsonl", lambda: b"{}\n" * 15_000_000
    yield "corpus", "cells.csv", lambda: b"text,n\n" + b"a,\n" * 15_000_000
    yield "corpus", "lines.txt", lambda: b"a\n" * 20_000_000
    yield "tokenizer", "lists.json", lambda: b'{"model": [' + lists + b"[]]}"
    yield "tokenizer", "ids.json", lambda: _large_tokenizer(400_000)
    yield "tokenizer", "lists.bpe.json", lambda: own
    yield "tokenizer", "ranks.tiktoken", lambda: b"YQ== 0\n" * 7_000_000
    yield "tokenizer", "pieces.model", lambda: hostile_files.piece("a") * 4_000_000
    yield "session", "manifest.zip", lambda: zipped({"manifest.json": ours})
    yield "session", "state.zip", lambda: _session(state=lists[: 20 << 20])
    yield "session", "texts.zip", lambda: _session(texts=words)
    yield "session", "fields.zip", lambda: _session(field="ab " * 30_000_000)
    yield "session", "few texts.zip", lambda: _session(texts=b'["' + b"ab " * 20_000_000 + b'"]')
    yield "corpus", "entries.zip", lambda: _entries(1_000_000)
    yield "session", "entries.zip", lambda: _entries(1_000_000)
    yield "corpus", "no place to cut.txt", lambda: b"abcdefghij" * 1_000_000
    yield "corpus", "one letter.txt", lambda: b"a" * 10_000_000


def _entries(count: int) -> bytes:
    """Return the list of an archive whose files are not there."""
    listed = (ENTRY + bytes(24) + b"\1" + bytes(17) + b"a") * count
    return listed + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, len(listed), 0, 0)


def _large_tokenizer(size: int) -> bytes:
    """Return a ``tokenizer.json`` with as many entries and as many merges."""
    tokens = [f"{number:x}" for number in range(size)]
    vocabulary = {token: number for number, token in enumerate(tokens)}
    merges = [[token[:-1], token[-1]] for token in tokens if len(token) > 1]
    model = {"type": "BPE", "vocab": vocabulary, "merges": merges}
    return json.dumps({"version": "1.0", "added_tokens": [], "model": model}).encode()


def _files() -> Iterator[tuple[str, Attack]]:
    for reader, name, content in _large():
        yield f"large files ({reader})", partial(uploaded, reader, name, content)
    for file in hostile_files.all_files():
        if file.reader in _UPLOADS:
            kind = f"files ({file.reader})"
            # Names without what no browser sends, so that it is the content that is refused.
            name = re.sub(r'[\x00-\x1f"/]', "_", file.name)
            yield kind, partial(uploaded, file.reader, name, bytes(file.content))


def _links(chance: random.Random) -> Iterator[tuple[str, Attack]]:
    """Yield links with hostile values, damaged ones, and ones that ask for work."""
    scripts = [*ROOT.glob("playground/**/*.py"), *ROOT.glob("pages/*.py")]
    keys = sorted({key for path in scripts for key in re.findall(r'key="(\w+)"', path.read_text())})
    for page, view in VIEWS:
        shown = "&".join(f"{key}={value}" for key, value in view.items())
        for _number in range(4):
            some = chance.sample(keys, 60)
            state = State(page, {key: chance.choice(HOSTILE) for key in some if key not in view})
            packed = codec.pack(state)
            yield "links with other types", partial(opened, page, f"{shown}&s={packed}")
            at = chance.randrange(len(packed))
            damaged = packed[:at] + chance.choice("Aa0_-~") + packed[at + 1 :]
            yield "damaged links", partial(opened, page, f"{shown}&s={damaged}")
    for name in ("a{3000000}", "(a+)+$", "(?:(?:a{99}){99}){99}"):
        query = f"view=vocabulary&vocabulary_search_by=regex&vocabulary_search={name}"
        yield "links that search", partial(opened, "compare", query.replace("+", "%2B"))
    every = "".join(f"&tokenizers={entry.name}" for entry in catalog.encodings())
    yield "links to all tokenizers", partial(opened, "compare", every)
    text = CorpusSource("", "ab" * 50_000)
    for pattern in ("a{3000000}", "(?:(a)|b)+!|[\\s\\S]", "((((a{99}){99}){99}){99})"):
        recipe = {"pattern": f"regex:{pattern}"}
        for number in (1, codec.MOST_TOKENIZERS):
            asked = [OwnTokenizer(f"own-{n}", f"{n}", recipe, text) for n in range(number)]
            packed = codec.pack(State("compare", {"view": "text"}, tuple(asked)))
            yield "links that train", partial(opened, "compare", f"s={packed}")
    recipe = {"vocabulary_size": 10**9, "merges": None}
    asked = [OwnTokenizer("own-1", "1", recipe, CorpusSource("", "汉字" * 90_000))]
    yield "links that train", partial(opened, "", f"s={codec.pack(State('', {}, tuple(asked)))}")


def attacks(chance: random.Random) -> list[tuple[str, Attack]]:
    """Return all attacks with their kinds, those that ask for the most in front."""
    last = [*_files(), *_links(chance), *_frames(), *[("tabs opened and dropped", dropped)] * 3]
    for page, fields in VIEWS:
        query = "&".join(f"{name}={value}" for name, value in fields.items())
        last.append(("forged states", partial(forged, page, query)))
    last += [("uploads that no page reads", many_uploads), ("caches cleared", caches_cleared)] * 3
    chance.shuffle(last)
    return sorted(last, key=lambda each: not each[0].startswith("large"))


def _name(attack: Attack) -> str:
    """Return what was uploaded, or the page that was opened without what is packed."""
    where, name = (*getattr(attack, "args", ()), "", "")[:2]
    return name if where in _UPLOADS else f"{where}?{name.split('&s=')[0]}"[:80]


def clicks(url: str, watch: Connection) -> None:
    """Go from lesson to lesson; tell the seconds of each click, and what went wrong."""
    try:
        with Visitor(url, "learn", "lang=en&lesson=merge") as visitor:
            ways = [each.id for each in visitor.widgets("button") if each.id.endswith(" lesson")]
            while True:
                time.sleep(0.2)
                began, seen = time.monotonic(), len(visitor.exceptions)
                visitor.press(random.choice(ways))
                watch.send(time.monotonic() - began)
                for said in visitor.exceptions[seen:]:
                    watch.send(said)
    except Exception as error:  # whatever it was, an answer did not come
        watch.send(repr(error))


@dataclass
class Watch:
    """What the attackers and the visitor beside them saw."""

    server: Server
    under_way: dict[int, str] = field(default_factory=dict)
    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """Seconds of each attack, by kind."""
    wrong: list[str] = field(default_factory=list)
    waits: list[tuple[float, str]] = field(default_factory=list)
    """Seconds of each click beside them, and the attacks under way."""
    held: int = 0
    """Bytes of the server and its processes."""
    most: int = 0
    over: threading.Event = field(default_factory=threading.Event)

    def is_alive(self) -> bool:
        with suppress(OSError):
            return Path(f"/proc/{self.server.process}/stat").read_text().split(") ")[1][0] != "Z"
        return False

    def attack(self, chosen: Iterator[tuple[str, Attack]], lock: threading.Lock) -> None:
        while not self.over.is_set():
            with lock:
                kind, attack = next(chosen)
            name = _name(attack)
            self.under_way[threading.get_ident()] = f"{kind}: {name}"
            began = time.monotonic()
            try:
                said = attack(self.server.url)
            except Exception as error:  # whatever it was, an answer did not come
                said = [repr(error)]
            seconds = time.monotonic() - began
            self.times[kind].append(seconds)
            self.wrong += [f"{kind}: {name}: {each}" for each in said]
            held = f"{seconds:6.1f} s {self.held >> 20:5} MiB"
            print(f"{held}  {kind}: {name} {said or ''}", file=sys.stderr, flush=True)
            if not self.is_alive():
                self.over.set()

    def click(self) -> None:
        """Take down how long the other visitor waits."""
        here, there = get_context("spawn").Pipe()
        visitor = get_context("spawn").Process(target=clicks, args=(self.server.url, there))
        visitor.start()
        before = set(self.under_way.values())
        while not self.over.is_set() and visitor.is_alive():
            if here.poll(0.2):
                now, said = set(self.under_way.values()), here.recv()
                if isinstance(said, float):
                    self.waits.append((said, "; ".join(sorted(before | now))))
                else:
                    self.wrong.append(f"the visitor beside them: {said}")
                before = now
        if not self.over.is_set():
            self.wrong.append("the visitor beside them: gone")
        visitor.kill()
        visitor.join()

    def open_files(self) -> int:
        with suppress(OSError):  # it did not survive
            return len(list(Path(f"/proc/{self.server.process}/fd").iterdir()))
        return 0

    def measure(self) -> None:
        while not self.over.wait(0.1):
            assert self.server.group is not None
            self.held = memory_of(self.server.group)
            self.most = max(self.most, self.held)


def main() -> int:
    """Attack, print the report, and return how the process ends."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.attack", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--limit", type=int, default=1024, help="of the server's memory, in MiB")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**9))
    options = parser.parse_args()
    print(f"{options.limit} MiB, seed {options.seed}", flush=True)
    _large()  # made now, as making them would hold up the clicks
    chance = random.Random(options.seed)
    rounds = (each for _round in iter(int, 1) for each in attacks(chance))
    log = Path(tempfile.gettempdir(), f"attack-{options.seed}.log")
    with served(limit=options.limit << 20, log=log) as server:
        watch, lock = Watch(server), threading.Lock()
        for page in visits(server):
            print(f"visited {page}", file=sys.stderr, flush=True)
        files = watch.open_files()
        threads = [threading.Thread(target=each) for each in (watch.click, watch.measure)]
        attack = partial(watch.attack, rounds, lock)
        threads += [threading.Thread(target=attack) for _number in range(AT_ONCE)]
        for thread in threads:
            thread.start()
        watch.over.wait(60 * options.minutes)
        watch.over.set()
        for thread in threads:
            thread.join()
        survived = watch.is_alive()
        print(f"\nopen files: {files} before, {watch.open_files()} at the end, ", end="")
        time.sleep(COMING_BACK)
        print(f"{watch.open_files()} after {COMING_BACK} s")
    print(f"What the server wrote is in {log}.")
    return report(watch, survived)


def report(watch: Watch, survived: bool) -> int:
    print("\n| attack | times | longest |\n| --- | ---: | ---: |")
    for kind, times in sorted(watch.times.items()):
        print(f"| {kind} | {len(times)} | {max(times):.1f} |")
    waits = sorted(watch.waits, reverse=True)
    longest = waits[0][0] if waits else float("nan")
    late = sum(wait > LONGEST for wait, _during in waits)
    print(f"\n{'survived' if survived else 'DID NOT SURVIVE'}; most memory {watch.most >> 20} MiB")
    print(f"{len(waits)} clicks beside them, the longest {longest:.2f} s, {late} over {LONGEST} s:")
    for wait, during in waits[:5]:
        print(f"- {wait:.2f} s while {during}")
    print(f"{len(watch.wrong)} tracebacks and lost answers", *watch.wrong[:20], sep="\n- ")
    return 1 if not survived or late or watch.wrong or not waits else 0


if __name__ == "__main__":
    sys.exit(main())
