"""JSON from anybody: what becomes gigabytes of values is refused before it is parsed."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe import files, limits, reading
from bpe.documents import documents, reader
from bpe.encoders import tokenizer_json
from bpe.errors import BPEError
from fuzz.hostile_files import piece
from playground.share import codec, session_file
from playground.ui import memory, uploads

BOMB = b'{"x":[' + b"[]," * 5_000_000 + b"0]}"
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(VALUES)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32-le"])
def test_what_is_not_too_much_is_what_json_says(encoding, values):
    text = json.dumps(values, ensure_ascii=False)
    assert reading.parse_json(text.encode(encoding, "surrogatepass")) == values


@given(VALUES)
def test_signs_inside_of_strings_do_not_count(values):
    def signs(value) -> int:
        if isinstance(value, dict):
            inside = sum(map(signs, value.values()))
            return 1 + max(0, len(value) - 1) + len(value) + inside
        return 1 + max(0, len(value) - 1) + sum(map(signs, value)) if isinstance(value, list) else 0

    assert reading._outside_strings(json.dumps(values).encode()) == signs(values)


def test_a_long_text_with_many_commas_is_one_value():
    text = '[{"":,\\"' * 300_000
    assert reading.parse_json(json.dumps({"text": text}).encode(), 10) == {"text": text}


def test_more_values_than_the_memory_has_room_for_are_refused(monkeypatch):
    asked = []
    monkeypatch.setattr(limits, "available_memory", lambda: 50 << 20)
    monkeypatch.setattr(limits, "make_room", asked.append)
    content = json.dumps(list(range(1_000_000))).encode()
    with pytest.raises(BPEError, match="MB of memory, which are not free"):
        reading.parse_json(content)
    assert len(asked) == 1
    assert reading.parse_json(b"[1]") == [1]


@pytest.mark.parametrize(
    "read",
    [
        lambda: reading.json_object(BOMB, "tokenizer.json"),
        lambda: codec.loads(BOMB[:4_000_000]),
        lambda: reader.whole(b'{"text":"a","x":' + BOMB + b"}", "a.jsonl"),
        lambda: session_file._json(BOMB, session_file.MOST_VALUES),
    ],
    ids=["tokenizer", "link", "line", "manifest"],
)
def test_a_bomb_is_refused_before_it_is_parsed(read, monkeypatch):
    monkeypatch.setattr(json, "loads", lambda *_: pytest.fail("parsed"))
    with pytest.raises(BPEError):
        read()


MANY = {
    "ranks": lambda lines: {"a.tiktoken": b"YQ== 0\n" * lines},
    "merges": lambda lines: {"vocab.json": b'{"a": 0}', "merges.txt": b"a b\n" * lines},
    "pieces": lambda lines: {"a.model": piece("a") * lines},
}


@pytest.mark.parametrize("kind", MANY)
def test_a_tokenizer_that_has_no_room_is_refused_before_it_is_read(kind, monkeypatch):
    monkeypatch.setattr(limits, "available_memory", lambda: 20 << 20)
    with pytest.raises(BPEError, match="not free"):
        files.loads(MANY[kind](200_000), pattern="gpt2")


@pytest.mark.parametrize("kind", ["ranks", "merges"])
def test_no_tokenizer_has_a_million_tokens(kind):
    with pytest.raises(BPEError, match="tokens in this file; the limit is 1,048,576"):
        files.loads(MANY[kind](2_000_000), pattern="gpt2")


def test_pairs_of_a_tokenizer_json_become_texts_where_these_say_the_same():
    for merges, expected in (
        ([["a", "b"], ["ab", "c"]], ["a b", "ab c"]),
        ([["a", " b"]], [["a", " b"]]),
        ([["#version:", "b"]], [["#version:", "b"]]),
        (["a b"], ["a b"]),
        ({"a": "b"}, {"a": "b"}),
    ):
        model = {"merges": merges}
        tokenizer_json._join_merges(model)
        assert model["merges"] == expected


def test_long_texts_that_have_no_room_are_refused(monkeypatch):
    monkeypatch.setattr(limits, "available_memory", lambda: 20 << 20)
    monkeypatch.setattr(memory, "GRANT_SECONDS", 0.0)
    text = "a" * (20 << 20)
    with pytest.raises(BPEError, match="not free"):
        reading.parse_json(json.dumps([text]).encode())
    assert uploads._read(text.encode(), uploads._Reading("a.txt")).error.template.startswith(
        "This needs some"
    )
    file = session_file.SessionFile(codec.State(), (("a", reader.Document("a.txt", (text,))),))
    data = session_file.dumps(file)
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_: pytest.fail("unpacked"))
    with pytest.raises(BPEError, match="not free"):
        session_file.loads(data)


def test_tables_and_documents_that_have_no_room_are_refused(monkeypatch):
    monkeypatch.setattr(limits, "available_memory", lambda: 20 << 20)
    rows = b"a\n" * 100_000
    for name, data in (("a.csv", rows), ("a.tsv", rows), ("a.jsonl", b'"ab"\n' * 100_000)):
        with pytest.raises(BPEError, match="not free"):
            reader.whole(data, name)
    with pytest.raises(BPEError, match="not free"):
        documents.separated(["ab\n" * 300_000], "line")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux tells its peak")
@pytest.mark.parametrize("kind", ["tokenizer.json", "a.jsonl"])
def test_a_bomb_takes_no_memory(kind):
    program = f"""
import bpe
from bpe import files
from bpe.documents import reader
from bpe.errors import BPEError
bomb = b'{{"text":"a","x":[' + b"[]," * 10_000_000 + b"0]}}"
try:
    if "{kind}" == "tokenizer.json":
        files.loads({{"{kind}": bomb}})
    else:
        reader.whole(bomb, "{kind}")
except BPEError as error:
    print(open("/proc/self/status").read().split("VmHWM:")[1].split()[0])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert int(done.stdout) < 400 * 1024, done.stderr
