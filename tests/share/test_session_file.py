"""A session file: everything comes back, and any other file is one clear sentence."""

import contextlib
import hashlib
import io
import json
import stat
import zipfile
from functools import partial
from itertools import count, repeat
from types import SimpleNamespace

import pytest
import streamlit
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe import files
from bpe.documents import untrusted
from bpe.documents.reader import Document
from bpe.errors import BPEError
from playground.share import codec, contents, control, session_file
from playground.share.codec import OwnTokenizer, State
from playground.share.session_file import SessionFile, dumps, loads
from playground.ui import uploads
from tests.support.archives import packed

TOKENIZER = files.dumps(bpe.train(["low lower lowest"], bpe.Recipe(vocabulary_size=260)))
SESSION = SessionFile(
    State("compare", {"lang": "zh", "compare_zh": "长江" * 2_000, "sample": "own"}),
    (("corpus_files", Document("../市场.txt", ("一", "two\r\n"))),),
    {"own-12345678": ("mine", TOKENIZER["tokenizer.bpe.json"])},
)


def members_of(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def with_head(members: dict[str, bytes], **changes: object) -> dict[str, bytes]:
    """Return the members with a manifest that fits them, but for the changes."""
    head = json.loads(members["manifest.json"])
    others = {name: content for name, content in members.items() if name != "manifest.json"}
    head["digests"] = {
        name: hashlib.sha256(content).hexdigest() for name, content in others.items()
    }
    return {"manifest.json": json.dumps(head | changes).encode(), **others}


MEMBERS = members_of(dumps(SESSION))


def test_a_session_comes_back_and_is_the_same_file_again():
    assert loads(dumps(SESSION)) == SESSION
    assert dumps(loads(dumps(SESSION))) == dumps(SESSION)
    assert list(MEMBERS) == [
        "manifest.json", "texts/0.txt", "files/0.json", "tokenizers/0.json", "state.json",
    ]  # fmt: skip
    assert files.loads({"tokenizers/0.json": MEMBERS["tokenizers/0.json"]}).encode("low") == [257]


@given(st.binary(max_size=400))
def test_any_bytes_are_no_session(data):
    for content in (data, b"PK\x03\x04" + data, dumps(SESSION)[:-1] + data[:1]):
        with contextlib.suppress(BPEError):
            assert loads(content) == SESSION


REFUSED = "no session file of this app"
BROKEN = "cut short or was changed"
LARGE = "larger than 150 MB, or has too many parts"


def a_link_among_them() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        entry = zipfile.ZipInfo("texts/1.txt")
        entry.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(entry, "/etc/passwd")
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", REFUSED),
        (b"not a zip", REFUSED),
        (packed({"a.txt": b"corpus"}), REFUSED),
        (packed({**MEMBERS, "../evil.txt": b""}), REFUSED),
        (packed({**MEMBERS, "/etc/passwd": b""}), REFUSED),
        (packed({**MEMBERS, "texts/..%2f1.txt": b""}), REFUSED),
        (a_link_among_them(), REFUSED),
        (packed({"manifest.json": b'{"format":"other","version":1}'}), REFUSED),
        (packed(with_head(MEMBERS, version="1")), REFUSED),
        (packed(with_head(MEMBERS, version=2)), "made by a newer version"),
        (dumps(SESSION)[:-30], BROKEN),
        (packed({**MEMBERS, "texts/0.txt": b"other"}), BROKEN),
        (packed({**MEMBERS, "texts/7.txt": b"one more"}), BROKEN),
        (packed({k: v for k, v in MEMBERS.items() if k != "texts/0.txt"}), BROKEN),
        (packed(with_head(MEMBERS, texts={"a": "texts/9.txt"})), BROKEN),
        (packed(with_head(MEMBERS, texts=[7])), BROKEN),
        (packed(with_head(MEMBERS, tokenizers=[{"code": 1}])), BROKEN),
        (packed(with_head({**MEMBERS, "state.json": b"[" * 100_000})), BROKEN),
        (packed({"manifest.json": b"[" * 100_000}), BROKEN),
        (packed({f"texts/{number}.txt": b"" for number in range(201)}), LARGE),
        (packed(with_head({**MEMBERS, "texts/0.txt": bytes(20 << 20)})), LARGE),
    ],
    ids=[str(number) for number in range(21)],
)
def test_another_file_is_refused_in_one_sentence(content, said):
    with pytest.raises(BPEError, match=said):
        loads(content)


def test_a_file_beyond_the_limit_is_not_opened(monkeypatch):
    with pytest.raises(BPEError, match=LARGE):
        loads(packed({"texts/0.txt": bytes(151 << 20)}))
    session = dumps(SESSION)
    monkeypatch.setattr(zipfile, "ZipFile", lambda *_: pytest.fail("opened"))
    with pytest.raises(BPEError, match=LARGE):
        loads(session + 200 * untrusted.ENTRY)
    monkeypatch.setattr(session_file, "MOST_PACKED", 100)
    with pytest.raises(BPEError, match=LARGE):
        loads(session)


def test_a_large_file_is_opened_in_a_process_and_is_the_same(monkeypatch, limit_sandbox):
    monkeypatch.setattr(session_file, "opened", lambda _data: pytest.fail("opened here"))
    limit_sandbox(bytes_parsed=0)
    assert loads(dumps(SESSION)) == SESSION
    with pytest.raises(BPEError, match=BROKEN):
        loads(packed({**MEMBERS, "texts/0.txt": b"other"}))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("pairs.csv", "zh,en\n你好,hello\n再见,goodbye\n".encode("gb18030")),
        ("pairs.zip", packed({"zho_Hans.dev": "你好\n".encode(), "eng_Latn.dev": b"hello\n"})),
    ],
)
def test_a_small_file_that_was_uploaded_comes_back_byte_by_byte(monkeypatch, name, data):
    before: dict[str, object] = {"one file for parallel_table": (data, name)}
    monkeypatch.setattr(streamlit, "session_state", before)
    ((key, document),) = loads(dumps(SessionFile(State("cost"), tuple(uploads.held())))).uploads
    after: dict[str, object] = {}
    monkeypatch.setattr(streamlit, "session_state", after)
    uploads.put_back(key, [document])
    assert after == before


# What a link has room for, without the page.


def test_a_link_with_too_many_names_leaves_tokenizers_out_and_keeps_the_language():
    names = [hashlib.sha512(bytes([number])).hexdigest() for number in range(100)]
    entries = tuple(
        OwnTokenizer(f"own-{number}", name, {"pattern": name}) for number, name in enumerate(names)
    )
    link, left_out = control.fitting(State("compare", {"lang": "zh"}, entries), "http://localhost/")
    assert len(link) <= codec.BUDGET
    assert 0 < len(left_out) < 100
    assert {*left_out} < {*names}


@pytest.mark.parametrize(
    ("clock", "missing"),
    [("thread_time", ["b", "c"]), ("monotonic", [])],  # each training takes 20 seconds of it
)
def test_time_in_which_the_server_did_other_work_is_not_that_of_a_link(clock, missing, monkeypatch):
    clocks = {"thread_time": repeat(0), "monotonic": repeat(0), clock: count(0, 20)}
    asked = {name: partial(next, times) for name, times in clocks.items()}
    monkeypatch.setattr(contents, "time", SimpleNamespace(**asked))
    monkeypatch.setattr(contents, "_train", lambda entry: None)
    errors = contents._train_all([OwnTokenizer(f"own-{name}", name) for name in "abc"])
    assert [error.values["name"] for error in errors] == missing
