"""A link: any state comes back from it, and anything else is one clear sentence."""

import base64
import contextlib
import json
import zlib

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bpe.documents import samples
from bpe.documents.documents import CorpusSource
from bpe.errors import BPEError
from playground.share import codec
from playground.share.codec import OwnTokenizer, State, pack, unpack

names = st.text(max_size=40)
singles = (
    st.none()
    | st.booleans()
    | st.integers(-(10**18), 10**18)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=200)
)
values = singles | st.lists(singles.filter(lambda value: value is not None), max_size=5)
mappings = st.dictionaries(names, values, max_size=5)
corpora = st.builds(
    CorpusSource,
    sample=st.sampled_from(["both", "zh", "en"]),
    text=st.text(max_size=100),
    separator=st.none() | st.text(min_size=1, max_size=5),
)
tokenizers = st.builds(
    OwnTokenizer, code=names, name=names, recipe=mappings, corpus=st.none() | corpora
)
states = st.builds(
    State,
    page=names,
    fields=mappings,
    tokenizers=st.lists(tokenizers, max_size=3).map(tuple),
    answers=st.dictionaries(names, mappings.filter(bool), max_size=3),
)


@given(states)
def test_any_state_comes_back_from_its_link(state):
    link = pack(state)
    assert unpack(link) == state
    assert pack(unpack(link)) == link
    assert link.isascii()
    assert link.replace("-", "").replace("_", "").isalnum()


def as_link(data: bytes) -> str:
    packer = zlib.compressobj(9, zdict=codec._DICTIONARY)
    packed = packer.compress(data) + packer.flush()
    return "1" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
@example(b"")
@example(b"\xff")
@settings(max_examples=300)
def test_any_bytes_are_a_state_or_an_error(data):
    letters = base64.urlsafe_b64encode(data).decode().rstrip("=")
    for link in (data.decode("latin1"), "1" + letters, as_link(data)):
        with contextlib.suppress(BPEError):
            assert unpack(pack(unpack(link))) == unpack(link)


json_values = st.recursive(
    singles, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3)
)
of_a_state = st.sampled_from(["page", "fields", "tokenizers", "answers", "later"])


@given(st.dictionaries(of_a_state, json_values, max_size=4))
def test_values_of_other_types_are_a_state_or_an_error(given_values):
    try:
        state = codec.loads(json.dumps(given_values).encode())
    except BPEError:
        return
    assert unpack(pack(state)) == state


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 100_000,
        b'{"fields":' * 100_000,
        b'{"page":"' + b"a" * 5_000_000 + b'"}',
        b'{"page":"' + b"a" * 300 + b'"}',
        b'{"page":7}',
        b'{"fields":{"size":NaN}}',
        b'{"fields":{"size":1' + b"0" * 5_000 + b"}}",
        b'{"fields":{"a":{"b":1}}}',
        b'{"fields":{"a":[null]}}',
        b'{"tokenizers":{}}',
        b'{"answers":{"bets":7}}',
        b"[]",
        b"null",
    ],
    ids=lambda data: data[:24].decode(),
)
def test_what_no_state_is_written_as_is_refused(data):
    with pytest.raises(BPEError, match="incomplete, or was not made here"):
        unpack(as_link(data))


def test_a_link_that_unpacks_to_a_gigabyte_is_not_unpacked():
    packer = zlib.compressobj(9, zdict=codec._DICTIONARY)
    begin = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    megabyte = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    bomb = begin + megabyte * 1023 + packer.flush()
    link = "1" + base64.urlsafe_b64encode(bomb).decode()
    with pytest.raises(BPEError, match="incomplete"):
        unpack(link)


@pytest.mark.parametrize(
    "change",
    [lambda link: link[:-3], lambda link: link[:40] + "A" + link[41:], lambda _link: "1AAAA"],
)
def test_a_link_that_lost_or_changed_a_letter_is_told_apart(change):
    link = pack(State("compare", {"compare_zh": "南京市长江大桥" * 3}))
    with pytest.raises(BPEError, match="may have been lost when it was copied"):
        unpack(change(link))


def test_a_link_of_a_later_version_says_so():
    with pytest.raises(BPEError, match="made by a newer version"):
        unpack("2" + pack(State("learn"))[1:])


def test_fields_that_a_later_version_adds_are_left_out():
    assert codec.loads(b'{"page":"cost","theme":"dark"}') == State("cost")


def test_a_thousand_hanzi_take_less_than_half_of_the_budget():
    text = "".join(character for character in samples.corpus("zh") if not character.isspace())
    link = pack(State("compare", {"sample": "own", "compare_zh": text[:1_000], "lang": "zh"}))
    assert len(link) < codec.BUDGET / 2


def test_the_dictionary_of_version_1_stays_as_it_is():
    """Links that were made with it could not be read any more."""
    assert zlib.crc32(codec._DICTIONARY) == 99365185
