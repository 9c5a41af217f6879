"""Files that a visitor might bring to do harm, or has been given by accident, the same each time.

:func:`all_files` makes them one after the other, as some are large. Each names what reads it here
(:data:`READERS`), and whether that has to say no. What is new to be read gets a function that
yields :class:`Hostile` in :data:`_KINDS`, and an entry in :data:`READERS` if need be.
"""

import gzip
import io
import itertools
import json
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as arrow
from pyarrow import parquet

import bpe
from bpe import files, sandbox
from bpe.algorithm.recipe import Recipe
from bpe.documents import charset, documents, parallel_texts, reader, untrusted
from bpe.documents.reader import File
from bpe.documents.tables import GUESS, Choice, Notes
from bpe.encoders import huggingface
from bpe.errors import BPEError
from bpe.scale import count_files, shards
from bpe.text import own_pattern


@dataclass(frozen=True)
class Hostile:
    """A file, what reads it here, and whether it is refused; ``None``: either will do."""

    name: str
    content: bytes
    reader: str
    refused: bool | None = True


def _corpus(file: Hostile) -> object:
    lenient = Choice(charset=GUESS, lenient=True)
    document = reader.whole(file.content, file.name, lenient)
    every = Choice(charset=GUESS, lenient=True, every_column=True)
    rows = reader.rows(File.of(file.content, file.name), every, Notes())
    return document.digest, list(itertools.islice(rows, 5))


def _strict(file: Hostile) -> object:
    return reader.whole(file.content, file.name).digest


def _pairs(file: Hostile) -> object:
    return len(parallel_texts.read_table(file.content, file.name).pairs())


def _archive(file: Hostile) -> object:
    unpacked, _notes = untrusted.unpack(file.content, charset.SUFFIXES)
    if not unpacked:
        raise BPEError("No file in the archive can be read here.")
    return [reader.whole(content, name).digest for name, content in unpacked]


def _tokenizer(file: Hostile) -> object:
    encoder = files.loads({file.name: file.content}, pattern="gpt2")
    ids = encoder.encode("a" * 2000 + "!b 中 <s>", disallowed_special=())
    return [len(ids), encoder.decode(ids), encoder.lossy, encoder.vocabulary_size]


def _two_files(file: Hostile) -> object:
    vocabulary, merges = file.content.split(b"\0")
    encoder = files.loads({"vocab.json": vocabulary, "merges.txt": merges})
    return encoder.encode("abab", disallowed_special=())


def _counts(file: Hostile) -> object:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, file.name)
        path.write_bytes(file.content)
        return len(count_files.read(str(path)))


def _typed(file: Hostile) -> object:
    return len(documents.counted_words(file.content.decode("utf-8", "surrogatepass")) or ())


def _shard(file: Hostile) -> object:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, file.name)
        path.write_bytes(file.content)
        (shard,) = shards.find(path)
        return sum(len(block) for document in shards.documents(shard) for block in document)


READERS: Mapping[str, Callable[[Hostile], object]] = {
    "corpus": _corpus,
    "strict corpus": _strict,
    "pairs": _pairs,
    "archive": _archive,
    "tokenizer": _tokenizer,
    "vocab.json and merges.txt": _two_files,
    "counts": _counts,
    "typed counts": _typed,
    "shard": _shard,
}


def all_files() -> Iterator[Hostile]:
    """Yield every file, each made when it is asked for."""
    for kind in _KINDS:
        yield from kind()


def main() -> None:
    """Read each file in this process, and print a line of JSON about how it ended.

    The line is ``[name, reader, refused, ended, template, values]``, where ``ended`` is "value",
    "refused", or the name of an exception that must not be seen. What runs away is given less time
    than a visitor has.
    """
    own_pattern.SECONDS = own_pattern.MATCH_SECONDS = 1.0
    sandbox.configure(replace(sandbox.limits(), answer_seconds=1.0))
    for file in all_files():
        template, values = None, {}
        try:
            READERS[file.reader](file)
            ended = "value"
        except BPEError as error:
            ended, template, values = "refused", error.template, error.values
        except BaseException as error:
            ended, values = type(error).__name__, {"error": str(error)[:300]}
        line = [file.name, file.reader, file.refused, ended, template, values]
        print(json.dumps(line, default=str), flush=True)


# Text and tables.

_CHINESE = "清早的菜市场最热闹，卖菜的吆喝声此起彼伏。"


def _charsets() -> Iterator[Hostile]:
    marks = {
        "utf-8-sig": b"\xef\xbb\xbf",
        "utf-16-le": b"\xff\xfe",
        "utf-16-be": b"\xfe\xff",
        "utf-32-le": b"\xff\xfe\0\0",
        "utf-32-be": b"\0\0\xfe\xff",
    }
    for name, mark in marks.items():
        encoding = name.removesuffix("-sig")
        encoded = _CHINESE.encode(encoding)
        yield Hostile(f"whole {name}.txt", mark + encoded, "strict corpus", refused=False)
        yield Hostile(f"only the mark of {name}.txt", mark, "strict corpus")
        yield Hostile(f"cut {name}.txt", mark + encoded[:-1], "strict corpus", refused=None)
    for encoding in ("gb18030", "big5hkscs", "shift_jis", "euc_kr"):
        encoded = _CHINESE.encode(encoding, "ignore") * 9
        yield Hostile(f"cut {encoding}.txt", encoded[:-1], "strict corpus", refused=None)
        mixed = encoded + _CHINESE.encode()
        yield Hostile(f"{encoding} and UTF-8.txt", mixed, "strict corpus", refused=None)
    yield Hostile("two marks.txt", b"\xef\xbb\xbf" * 2 + b"text", "strict corpus", refused=False)
    yield Hostile("half pairs.txt", b"\xed\xa0\xbd\xed\xb8\x80" * 9, "strict corpus", refused=None)
    yield Hostile("overlong.txt", b"\xc0\xaf\xe0\x80\xaf" * 9, "strict corpus", refused=None)
    yield Hostile("utf-7.txt", b"+AGEAYg- " * 9, "strict corpus", refused=False)
    yield Hostile("utf-16 of odd length.txt", b"\xff\xfea\0b", "strict corpus", refused=None)
    yield Hostile("right to left.txt", "\u202egpj.exe \u2066 \u2069".encode(), "corpus", False)


def _binary() -> Iterator[Hostile]:
    heads = {
        "program": b"\x7fELF\x02\x01\x01\0",
        "picture": b"\x89PNG\r\n\x1a\n",
        "photo": b"\xff\xd8\xff",
        "archive": b"PK\x03\x04",
        "rar": b"Rar!\x1a\x07",
        "database": b"SQLite format 3\0",
        "gzip": b"\x1f\x8b\x08\0",
        "pdf": b"%PDF-1.7\n",
        "parquet": b"PAR1",
        "word": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    }
    body = bytes((7 * number * number + number) % 251 for number in range(2000))
    for name, head in heads.items():
        yield Hostile(f"{name}.txt", head + body, "strict corpus")
        yield Hostile(f"{name}.csv", head + body, "corpus")
        yield Hostile(f"{name}.json", head + body, "tokenizer")
    yield Hostile("zeros.txt", bytes(1000), "strict corpus")
    yield Hostile("nothing.txt", b"", "strict corpus")
    yield Hostile("spaces.csv", b" \n\t\n\r\n", "corpus", refused=None)
    yield Hostile("unknown.xyz", b"text", "corpus")
    yield Hostile("no suffix", b"text", "corpus")
    yield Hostile("much.txt", b"a" * (reader.MAX_BYTES + 1), "corpus")


def _tables() -> Iterator[Hostile]:
    def table(name: str, text: str, refused: bool | None = True) -> Hostile:
        return Hostile(name, text.encode("utf-8", "surrogatepass"), "corpus", refused)

    wide = ",".join(f"c{number}" for number in range(10_000))
    yield table("10,000 columns.csv", f"{wide}\n{wide}\n")
    yield table("10,000 equal columns.csv", f"{',' * 10_000}\n{'a,' * 10_000}\n")
    yield table("a million commas.csv", "," * 1_000_000)
    yield table("an open quote.csv", 'text\n"never closed' + "\nline" * 1000)
    yield table("many open quotes.csv", 'text\n"a"b"c\n' * 1000)
    yield table("a quote in a cell.tsv", 'text\tn\na"b\t1\n"c\t2\n', refused=False)
    yield table("quotes alone.csv", '"' * 100_001)
    yield table("ragged.csv", "id,text\n1\n1,2,3,4\n1,two\n", refused=False)
    yield table("numbers.csv", "a,b\n1,2\n3,4\n")
    yield table("a long cell.csv", f"text\n{'a' * 300_000}\n", refused=False)
    yield table("returns.csv", "text\rone\rtwo\r", refused=False)
    yield table("zeros.csv", "text\0,b\n\0\n" * 9, refused=None)
    yield table("line separators.csv", "text\u2028b\u2029\n1\x0b\x0c\x85\n", refused=None)
    yield table("formulas.csv", "text\n=1+1\n@SUM(1)\n\"-1+cmd|' /C calc'!A0\"\n", refused=False)
    yield table("markup.csv", "<b>text</b>,$x$\n<img src=x onerror=alert(1)>,b\n", refused=False)
    yield table("the same name.csv", "text,text,text\na,b,c\n", refused=False)
    yield table("only a heading.csv", "text,label\n")
    for name, line in {
        "deep": "[" * 100_000,
        "deep objects": '{"a":' * 100_000 + "1" + "}" * 100_000,
        "a number of many digits": '{"text": ' + "9" * 10_000 + "}",
        "infinity": "Infinity",
        "no end": '{"text": "a',
        "numbers": "1\n2\n3",
        "half pairs": '{"\\ud83d": "a"}\n{"text": "\\ud83d"}',
        "many fields": "{" + ",".join(f'"f{n}": "a"' for n in range(5_000)) + "}",
        "the same field": '{"text": "a", "text": 1, "text": null}',
        "text that is none": '{"text": {"text": ["a"]}}',
        "null": "null",
        "a list": '["a", "b"]',
        "empty names": '{"": "a", " ": "b"}',
    }.items():
        yield table(f"{name}.jsonl", line, refused=None)
    yield Hostile("one column.csv", b"zh\na\n", "pairs")
    yield Hostile("one side.csv", "zh,en\n甲,\n".encode(), "pairs")
    yield Hostile("names.csv", "../zh,<b>en\n甲,a\n".encode(), "pairs", refused=False)
    yield Hostile("pairs.txt", b"a", "pairs")
    for name in (
        "../../etc/passwd.csv",
        "a\nb\r\n.csv",
        "\u202egpj.csv",
        "<b>$x$.csv",
        "n" * 300 + ".csv",
    ):
        yield Hostile(name, b'text\n"open', "corpus")
    yield Hostile("nul\0.csv", b"text\na", "corpus", refused=None)
    yield Hostile("LPT1.TXT", b"text", "corpus", refused=False)


# Documents.


def zipped(parts: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return an archive of files by their names."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method, compresslevel=1) as made:
        for name, content in parts.items():
            made.writestr(zipfile.ZipInfo(name), content, method)
    return file.getvalue()


def _archives() -> Iterator[Hostile]:
    bomb = b" " * 101 * 2**20
    inside = zipped({"a.txt": bytes(2**24)})
    yield Hostile("bomb.zip", zipped({"a.txt": bomb}), "archive")
    yield Hostile("bomb of bzip2.zip", zipped({"a.txt": bomb}, zipfile.ZIP_BZIP2), "archive")
    yield Hostile(
        "bomb of many.zip", zipped({f"{n}.txt": bomb[: 2**24] for n in range(7)}), "archive"
    )
    yield Hostile("in itself.zip", zipped({"a.zip": inside, "b.zip": inside}), "archive")
    yield Hostile("many.zip", zipped({f"{number}.txt": b"a" for number in range(1_001)}), "archive")
    yield Hostile("nothing.zip", zipped({}), "archive")
    yield Hostile("pictures.zip", zipped({"a.png": b"a"}), "archive")
    yield Hostile("folders.zip", zipped({"a/": b"", "b.txt/": b""}), "archive")
    up = {"../../a.txt": b"a", "/etc/b.txt": b"b", "C:\\c.txt": b"c", "a\n\u202e.txt": b"d"}
    yield Hostile("names that lead out.zip", zipped(up), "archive", refused=False)
    good = zipped({"a.txt": b"text" * 100})
    yield Hostile("cut.zip", good[:-9], "archive")
    yield Hostile("no archive.zip", b"PK\x03\x04" + bytes(100), "archive")
    yield Hostile(
        "other sum.zip",
        good.replace(zlib.crc32(b"text" * 100).to_bytes(4, "little"), b"\1" * 4),
        "archive",
    )
    size = struct.pack("<I", 400)
    yield Hostile("says 4 GB.zip", good.replace(size, b"\xff\xff\xff\xfe"), "archive", refused=None)
    yield Hostile("says 1 byte.zip", good.replace(size, b"\1\0\0\0"), "archive", refused=None)
    broken = bytearray(good)
    broken[broken.index(b"PK\x01\x02") + 10] = 99
    yield Hostile("other packing.zip", bytes(broken), "archive")
    yield Hostile("binary in it.zip", zipped({"a.txt": b"\x7fELF" + bytes(99)}), "archive")


_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def _word_documents() -> Iterator[Hostile]:
    def word(name: str, xml: bytes, refused: bool | None = True) -> Hostile:
        return Hostile(f"{name}.docx", zipped({"word/document.xml": xml}), "corpus", refused)

    yield word("bomb", b" " * 201 * 2**20)
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 9}">' for n in range(1, 12))
    yield word("laughs", f'<!DOCTYPE x [<!ENTITY l0 "ha">{entities}]><x>&l11;</x>'.encode())
    yield word("outside", b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>')
    deep = f"<w:document {_W}>" + "<w:p>" * 100_000 + "</w:p>" * 100_000 + "</w:document>"
    yield word("deep", deep.encode())
    yield Hostile("no text part.docx", zipped({"a.xml": b"a"}), "corpus")


def _pdf(objects: list[bytes]) -> bytes:
    """Return a PDF of these objects, whose table of places is right."""
    data = b"%PDF-1.7\n"
    places = []
    for number, content in enumerate(objects, start=1):
        places.append(len(data))
        data += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    tail = b"trailer <</Size %d /Root 1 0 R>>\nstartxref\n%d\n%%%%EOF"
    return data + head + table + tail % (len(objects) + 1, len(data))


def _pdfs() -> Iterator[Hostile]:
    catalogue = b"<</Type /Catalog /Pages 2 0 R>>"
    squeezed = zlib.compress(zlib.compress(bytes(300 * 2**20), 1), 1)
    bomb = b"<</Length %d /Filter [/FlateDecode /FlateDecode]>>\nstream\n%b\nendstream"
    page = b"<</Type /Page /Parent 2 0 R /Contents 4 0 R /MediaBox [0 0 9 9]>>"
    one = b"<</Type /Pages /Kids [3 0 R] /Count 1>>"
    content = [catalogue, one, page, bomb % (len(squeezed), squeezed)]
    yield Hostile("bomb.pdf", _pdf(content), "corpus")
    many = b"<</Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000000>>"
    yield Hostile("pages of themselves.pdf", _pdf([catalogue, many]), "corpus")
    yield Hostile("deep.pdf", _pdf([catalogue, b"[" * 100_000]), "corpus")


def _parquet(table: Any, **options: Any) -> bytes:
    file = io.BytesIO()
    parquet.write_table(table, file, **options)
    return file.getvalue()


def _parquets() -> Iterator[Hostile]:
    long = arrow.array(["x" * 1_000_000])
    repeated = arrow.DictionaryArray.from_arrays(arrow.array([0] * 300_000, arrow.int32()), long)
    yield Hostile("bomb.parquet", _parquet(arrow.table({"text": repeated})), "corpus")
    plain = _parquet(arrow.table({"text": ["a"] * 99}))
    yield Hostile("cut.parquet", plain[: len(plain) // 2] + b"PAR1", "corpus")
    footer = b"PAR1" + b"\xff" * 20 + b"\xff\xff\xff\x7fPAR1"
    yield Hostile("a huge footer.parquet", footer, "corpus")
    yield Hostile("no text.parquet", _parquet(arrow.table({"n": [1, 2]})), "corpus")
    counts = {
        "word": arrow.array([b"a"], arrow.binary()),
        "count": arrow.array([-1], arrow.int64()),
    }
    yield Hostile("negative.parquet", _parquet(arrow.table(counts)), "counts")
    counts["count"] = arrow.array([2**63 - 1], arrow.int64())
    yield Hostile("huge.parquet", _parquet(arrow.table(counts)), "counts")
    yield Hostile("no counts.parquet", plain, "counts")


def _shards() -> Iterator[Hostile]:
    spaces = b" " * 2**20
    head = b'{"text": "'
    bomb = gzip.compress(head, mtime=0) + 260 * gzip.compress(spaces, mtime=0)
    yield Hostile("bomb.jsonl.gz", bomb, "shard")
    zstd = arrow.compress(head + spaces * 260, codec="zstd", asbytes=True)
    yield Hostile("bomb.jsonl.zst", zstd, "shard")
    small = gzip.compress(b'{"text": "a"}\n' * 99, mtime=0)
    yield Hostile("cut.jsonl.gz", small[:-9], "shard")
    yield Hostile("no gzip.txt.gz", b"text", "shard")
    yield Hostile("no Zstandard.txt.zst", b"text", "shard")
    yield Hostile("cut.jsonl.zst", zstd[:100], "shard")
    yield Hostile("GB18030.txt", _CHINESE.encode("gb18030"), "shard")
    yield Hostile("deep.jsonl", b"[" * 100_000, "shard")


# Tokenizers.


def _json_files() -> Iterator[Hostile]:
    yield Hostile("deep.json", b"[" * 100_000, "tokenizer")
    yield Hostile("deep objects.json", b'{"model":' * 100_000, "tokenizer")
    yield Hostile("a page.json", b"<!DOCTYPE html><script>alert(1)</script>", "tokenizer")
    yield Hostile("a pointer.json", b"version https://git-lfs.github.com/spec/v1\n", "tokenizer")
    yield Hostile("digits.json", b'{"format": ' + b"9" * 10_000 + b"}", "tokenizer")
    yield Hostile("vocab.json", b'{"a": 0}', "tokenizer")
    yield Hostile("merges.txt", b"#version: 0.2\na b\n", "tokenizer")
    for number, value in enumerate((b"{}", b"[]", b"null", b'"a"', b"1", b'{"model": null}', b"")):
        yield Hostile(f"value {number}.json", value, "tokenizer")


def _own_files() -> Iterator[Hostile]:
    good = json.loads(files.dumps(bpe.train(["ab ab"], Recipe(merges=2)))["tokenizer.bpe.json"])

    def own(name: str, refused: bool | None = True, **changed: object) -> Hostile:
        content = json.dumps({**good, **changed}).encode()
        return Hostile(f"{name}.bpe.json", content, "tokenizer", refused)

    yield own("cyclic", merges=[[256, 256, 1]])
    yield own("of later merges", merges=[[257, 98, 1], [256, 98, 1]])
    yield own("negative", merges=[[-1, 98, 1]])
    yield own("huge", merges=[[2**70, 98, 1]])
    yield own("with a negative count", merges=[[97, 98, -1]])
    unlimited = {**good["recipe"], "merges": None}
    doubled = [[97, 97, 1], *([256 + n, 256 + n, 1] for n in range(40))]
    yield own("doubled", merges=doubled, recipe=unlimited)
    yield own("twice the same", merges=[[97, 98, 1], [97, 98, 1]])
    yield own("without numbers", merges=[["a", None, 1.5]])
    yield own("of another version", version=99)
    yield own("with a field", surprise=1)
    yield own("of lists", recipe=[], merges={})
    for name, pattern in {
        "runaway": r"(a+)+$",
        "cubic": r"a*a*a*b",
        "compiled for long": "((((((a{9}){9}){9}){9}){9}){9})",
        "recursive": "(a(?R)?b)",
        "empty": "",
        "open": "(",
        "of nothing": "a*",
        "long": "a" * 3_000,
    }.items():
        refused = None if name == "compiled for long" else True
        yield own(name, refused, recipe={**good["recipe"], "pattern": f"regex:{pattern}"})


def _hugging_face() -> Iterator[Hostile]:
    vocabulary = {"a": 0, "b": 1, "!": 2, "[UNK]": 3}
    bare = {"type": "BPE", "vocab": vocabulary, "merges": []}

    def file(name: str, refused: bool | None = True, **parts: object) -> Hostile:
        values = {"version": "1.0", "added_tokens": [], "model": bare, **parts}
        return Hostile(f"{name}.json", json.dumps(values).encode(), "tokenizer", refused)

    def split(source: str) -> dict[str, object]:
        return huggingface.split({"Regex": source})

    def model(**changed: object) -> dict[str, object]:
        return {**bare, **changed}

    yield file("cubic", pre_tokenizer=split(r"a*[^!]*c?[^!]*b$"))
    yield file("exponential", pre_tokenizer=split(r"(a+)+$"))
    yield file("repeats", None, pre_tokenizer=split(r"((((a{99}){99}){99}){99})"))
    yield file("open", pre_tokenizer=split("("))
    yield file("deep pattern", pre_tokenizer=split("(" * 9_000 + ")" * 9_000))
    yield file(
        "cubic in the normaliser",
        normalizer=huggingface.replace({"Regex": r"a*[^!]*c?[^!]*b$"}, ""),
    )
    ten = huggingface.replace({"String": "a"}, "a" * 10)
    yield file("tenfold, nine times", normalizer={"type": "Sequence", "normalizers": [ten] * 9})
    yield file("a long beginning", None, normalizer={"type": "Prepend", "prepend": "a" * 5_000_000})
    yield file("negative ids", model=model(vocab={"a": -1, "b": 1}))
    yield file("huge ids", model=model(vocab={"a": 4_000_000_000}))
    yield file("ids beyond all", model=model(vocab={"a": 2**70}))
    yield file("the same ids", None, model=model(vocab={"a": 0, "b": 0}))
    yield file("merges of nothing", model=model(merges=["x y"]))
    yield file("merges of one", model=model(merges=["ab", ""]))
    yield file("cyclic merges", model=model(vocab={"a": 0, "aa": 1}, merges=["aa a", "a aa"]))
    yield file("other types", model=[1, 2], added_tokens={"a": 1}, normalizer="NFC")
    unigram = {"type": "Unigram", "unk_id": 99, "vocab": [["a", 0.0]]}
    yield file("unknown beyond all", model=unigram)
    yield file(
        "scores that are none",
        None,
        model={**unigram, "unk_id": 0, "vocab": [["a", 1e308], ["aa", -1e308]]},
    )
    piece = {
        "type": "WordPiece",
        "unk_token": "[UNK]",
        "vocab": vocabulary,
        "continuing_subword_prefix": "#" * 100_000,
        "max_input_chars_per_word": 10**9,
    }
    yield file("a long prefix", None, model=piece)
    added = huggingface.added_token("", 2**31, lstrip=True, rstrip=True, normalized=True)
    yield file("empty special token", None, added_tokens=[added])
    yield file(
        "many special tokens",
        None,
        added_tokens=[{**added, "id": n, "content": f"<{n}>"} for n in range(20_000)],
    )
    deep = '{"type":"Sequence","normalizers":[' * 5_000 + "]}" * 5_000
    text = json.dumps({"version": "1.0", "model": bare, "normalizer": 0}).replace("0}", deep + "}")
    yield Hostile("deep normaliser.json", text.encode(), "tokenizer")


def _ranks() -> Iterator[Hostile]:
    for name, text in {
        "negative": b"YQ== -1\n",
        "huge": b"YQ== 99999999999999999999\n",
        "the same": b"YQ== 0\nYg== 0\n",
        "no base64": b"\xff\xff 0\n",
        "three": b"YQ== 0 0\n",
        "twice": b"YQ== 0\nYQ== 1\n",
        "empty": b"",
        "few bytes": b"YQ== 0\n",
        "words": b"one two\n",
        "digits": b"YQ== " + b"9" * 100_000,
        "a long token": b"QUFB" * 100_000 + b" 0\n",
    }.items():
        yield Hostile(f"{name}.tiktoken", text, "tokenizer")
    for name, pair in {
        "cyclic": b'{"a": 0, "b": 1}\0#version: 0.2\nab a\na b\n',
        "negative": b'{"a": -5}\0a b\n',
        "of lists": b'{"a": [0]}\0a b\n',
        "deep": b"[" * 100_000 + b"\0",
        "long": b'{"a": 0}\0' + b"a " * 100_000,
        "empty": b"{}\0",
    }.items():
        yield Hostile(name, pair, "vocab.json and merges.txt")


def varint(number: int) -> bytes:
    """Return a whole number as Protocol Buffers write it."""
    data = b""
    while number > 127:
        data, number = data + bytes([number & 127 | 128]), number >> 7
    return data + bytes([number])


def field(number: int, content: bytes) -> bytes:
    """Return a field of bytes as Protocol Buffers write it."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def piece(text: str, score: float = 0.0, kind: int = 1) -> bytes:
    """Return a piece of a SentencePiece model."""
    scored = varint(2 << 3 | 5) + struct.pack("<f", score)
    return field(1, field(1, text.encode()) + scored + varint(3 << 3) + varint(kind))


def _sentencepiece() -> Iterator[Hostile]:
    unknown, bpe_model = piece("<unk>", kind=2), field(2, varint(3 << 3) + varint(2))
    towers = [piece(letter * n, -float(n)) for letter in "ab" for n in range(1, 1024)]
    for name, content in {
        "towers": unknown + b"".join(towers) + bpe_model,
        "a huge length": varint(1 << 3 | 2) + varint(2**62),
        "lengths in lengths": field(1, varint(1 << 3 | 2) + varint(2**40)),
        "an endless number": b"\x0a" + b"\xff" * 100_000,
        "groups": bytes([1 << 3 | 3]) * 1000,
        "no unknown piece": piece("a"),
        "unknown twice": unknown * 2,
        "twice the same": unknown + piece("a") * 2,
        "not a number": unknown + piece("a", float("nan")),
        "a long piece": unknown + piece("a" * 100_000),
        "an empty piece": unknown + piece(""),
        "words": unknown + field(2, varint(3 << 3) + varint(3)),
        "no UTF-8": unknown + field(1, field(1, b"\xff")),
        "numbers for bytes": varint(1 << 3) + varint(5),
        "cut": (unknown + piece("a"))[:-3],
    }.items():
        yield Hostile(f"{name}.model", b"" + content, "tokenizer")
    for name, charsmap in {
        "short": b"\1",
        "long": struct.pack("<I", 2**31) + bytes(100),
        "odd": struct.pack("<I", 3) + bytes(9),
        "loops": struct.pack("<I", 64) + b"\0\4\0\0" * 16 + b"a",
        "ones": struct.pack("<I", 1024) + b"\xff" * 1024 + b"\xff" * 99,
    }.items():
        model = unknown + piece("a") + piece("▁") + field(3, field(2, charsmap))
        yield Hostile(f"charsmap {name}.model", model, "tokenizer", refused=None)


def _typed_counts() -> Iterator[Hostile]:
    for name, text in {
        "negative": '{"a": -1}',
        "huge": '{"a": 1e400}',
        "more than all": '{"a": 99999999999999999999}',
        "true": '{"a": true}',
        "a word that is none": '{"": 1}',
        "a million": '{"a": 2000001}',
        "a power": "{'a': 9**9**9}",
        "a call": "{'a': __import__('os').getpid()}",
        "deep": '{"a":' * 50_000 + "1" + "}" * 50_000,
        "deep brackets": "{" + "(" * 9_000 + ")" * 9_000 + "}",
        "signs": "{" + "-" * 90_000 + "1: 1}",
        "digits": '{"a": ' + "9" * 10_000 + "}",
    }.items():
        yield Hostile(name, text.encode(), "typed counts", refused=None)


_KINDS: tuple[Callable[[], Iterator[Hostile]], ...] = (
    _charsets,
    _binary,
    _tables,
    _archives,
    _word_documents,
    _pdfs,
    _parquets,
    _shards,
    _json_files,
    _own_files,
    _hugging_face,
    _ranks,
    _sentencepiece,
    _typed_counts,
)


if __name__ == "__main__":
    main()
