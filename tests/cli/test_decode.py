"""The ids of a JSON object come block by block, and what is no such object is refused."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe.cli import decode
from bpe.cli.decode import ids_of_object
from bpe.cli.input import Refused
from bpe.documents.reader import File

FIELDS = st.dictionaries(
    st.text(max_size=3).filter(lambda name: name != "ids"),
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=4)
    ),
    max_size=3,
)


def ids_in(data, block):
    """Return the ids of an object that is read in blocks of that many bytes after the first 30."""
    file = io.BytesIO(data)
    head = file.read(30)
    return [token_id for ids in ids_of_object(head, lambda: file.read(block)) for token_id in ids]


@given(
    FIELDS,
    st.lists(st.integers(0, 300_000)),
    FIELDS,
    st.integers(1, 9),
    st.sampled_from([None, 1]),
    st.booleans(),
)
def test_the_ids_are_those_that_json_reads(before, ids, after, block, indent, ascii_only):
    text = json.dumps({**before, "ids": ids, **after}, indent=indent, ensure_ascii=ascii_only)
    assert ids_in(text.encode("utf-8", "surrogatepass"), block) == json.loads(text)["ids"]


@pytest.mark.parametrize("block", [1, 5, 1000])
@pytest.mark.parametrize(
    "data",
    [
        b'{"ids": [1, 2',
        b'{"ids": [1, 2]',
        b'{"ids": [1,]}',
        b'{"ids": [,1]}',
        b'{"ids": [1 2]}',
        b'{"ids": [1, "2"]}',
        b'{"ids": [1, true]}',
        b'{"ids": [1, [2], 3]}',
        b'{"ids": [1.5]}',
        b'{"ids": [1]} and more',
        b'{"ids": [1], "ids": [2]}',
        b'{"ids": 1}',
        b'{"tokens": [1]}',
        b"{}",
        b'{"ids"',
    ],
)
def test_what_is_no_object_with_a_list_of_ids_is_refused(data, block):
    with pytest.raises(Refused):
        ids_in(data, block)


def test_an_object_with_lists_before_its_ids_is_read_whole():
    assert ids_in(b'{"shape": [3], "more": {"a": 1}, "ids": [5, 6, 7]}', 4) == [5, 6, 7]


@pytest.mark.parametrize(
    ("begin", "separator", "end"), [('{"tokenizer": "gpt2", "ids": [', ", ", "]}"), ("", " ", "")]
)
def test_the_first_ids_are_decoded_before_the_rest_is_read(monkeypatch, begin, separator, end):
    monkeypatch.setattr(decode, "BLOCK", 100)
    data = (begin + separator.join(map(str, range(1000))) + end).encode()
    file = io.BytesIO(data)
    read = []
    blocks = decode._blocks(File("ids", len(data), lambda: file), read.append)
    assert next(blocks)[:3] == [0, 1, 2]
    assert sum(read) == file.tell() == 100
    assert max(map(len, blocks)) <= 50
    assert sum(read) == len(data)
