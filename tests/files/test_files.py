"""What is saved gives the same ids wherever it is loaded, or is not saved at all."""

import json
import os
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import pytest
import tiktoken
import tokenizers

import bpe
from bpe import files as formats
from bpe.algorithm.recipe import Merge, Recipe
from bpe.documents import samples
from bpe.encoders.byte_pair import BytePairEncoder
from bpe.encoders.trained import Tokenizer
from bpe.errors import BPEError
from bpe.files import formats_of
from bpe.text.pretokenize import PATTERNS
from fuzz.damaged_files import FILES, use

SPECIALS = ("<|end|>", "<|endof|>")
REPETITIVE = ("aaaaaaa aaaa aaa aaaaa", "a" * 50, "--- ---- ----- -----", "ababab bababa abab")
NORMALISATIONS = ("NFC", "NFKC", "lowercase", "NFKC+lowercase+strip-punctuation")
NASTY = (
    "",
    " ",
    "Hello, world! I'm 12345 years old.\r\n\r\n\tIt'S '",
    "你好，世界！“学而时习之”，不亦说乎？  \n",
    "e\u0301 ﬁ ① ㋿ ﷺ ΑΣ ΑΣΑ Σ ΌΔΟΣ. İ ß ſ ǅ",
    "👨‍👩‍👧 🇨🇳 𠀀𠀁 שלום مرحبا",
    "a\0b\x1b\x7f\x85\u00a0\u2028\u3000c",
    "<|end|>a<|endof|><|end| <|endof",
    "<script>alert('x')</script> %#version: 0.2",
    "a" * 3000,
)


@cache
def corpus() -> tuple[str, ...]:
    chinese, english = samples.corpus("zh"), samples.corpus("en")
    return (chinese[:6000], english[:6000], *REPETITIVE)


@cache
def trained(pattern: str = "gpt2", normalisation: str = "none", tie_break: str = "first-seen"):
    recipe = Recipe(
        vocabulary_size=700,
        pattern=pattern,
        normalisation=normalisation,
        tie_break=tie_break,
        special_tokens=SPECIALS,
    )
    return bpe.train(corpus(), recipe)


@cache
def texts() -> tuple[str, ...]:
    draw = random.Random(5)
    alphabet = "aab ABZ１中文的，①e\u0301ﬁΣςσ'’sſ\n\r\t12345😀.!?—<|end|>㋿ß\u0345\u00a0ǅ"
    mixed = ("".join(draw.choices(alphabet, k=draw.randrange(20))) for _ in range(500))
    return (*NASTY, *corpus()[:2], *mixed)


def made_of(*pairs: tuple[int, int], **recipe: object) -> Tokenizer:
    """A tokenizer of the given merges, with no regard to any corpus."""
    made = Recipe(**{"pattern": "none", **recipe})
    first = made.first_merge_id
    return Tokenizer(
        tuple(Merge(left, right, first + n, 1) for n, (left, right) in enumerate(pairs)), made
    )


A, B, C = b"abc"


# The same ids elsewhere.


@pytest.mark.parametrize(
    ("pattern", "normalisation"),
    [*product(PATTERNS, ["none"]), *product(["gpt2", "deepseek_v3"], NORMALISATIONS)],
)
def test_hugging_face_gives_the_same_ids(pattern, normalisation):
    tokenizer = trained(pattern, normalisation)
    file = formats.dumps(tokenizer, "huggingface")["tokenizer.json"]
    engine = tokenizers.Tokenizer.from_str(file.decode())
    for text in texts():
        expected = tokenizer.encode(text, allowed_special="all")
        assert engine.encode(text, add_special_tokens=False).ids == expected, text
        if normalisation == "none":
            assert engine.decode(expected, skip_special_tokens=False) == text


def test_hugging_faces_file_has_an_entry_a_line_from_the_fast_encoder(monkeypatch):
    tokenizer = trained()
    monkeypatch.setattr(json.encoder, "_make_iterencode", None)  # the one in plain Python
    lines = formats.dumps(tokenizer, "huggingface")["tokenizer.json"].decode().splitlines()
    ids = json.loads("\n".join(lines))["model"]["vocab"]
    entries = [f"{json.dumps(token, ensure_ascii=False)}: {ids[token]}," for token in ids]
    assert len(ids) == 700
    assert set(entries[1:-1]) <= set(lines)


@pytest.mark.parametrize("tie_break", ["lexicographic", "first-seen", "smallest-ids"])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_tiktoken_gives_the_same_ids(pattern, tie_break):
    tokenizer = trained(pattern, tie_break=tie_break)
    files = formats.dumps(tokenizer, "tiktoken")
    ours = formats.loads(files, pattern=pattern)
    assert isinstance(ours, BytePairEncoder)
    theirs = tiktoken.Encoding(
        "x",
        pat_str=PATTERNS[pattern] or r"(?s).+",
        mergeable_ranks=dict(ours.ranks),
        special_tokens=dict(tokenizer.special_tokens),
    )
    for text in texts():
        expected = tokenizer.encode(text, allowed_special="all")
        assert theirs.encode(text, allowed_special="all") == expected, text
        plain = tokenizer.encode(text, disallowed_special=())
        assert ours.encode(text) == plain
        assert ours.decode(plain) == text


def test_merges_and_bytes_come_back_from_every_format():
    tokenizer = trained("gpt2")
    pairs = [merge[:3] for merge in tokenizer.merges]
    for format in formats_of(tokenizer):
        loaded = formats.loads(formats.dumps(tokenizer, format), pattern="gpt2")
        assert [merge[:3] for merge in loaded.merges] == pairs, format  # type: ignore[attr-defined]
        for token_id in (*range(256), *range(258, 700)):
            assert loaded.token_bytes(token_id) == tokenizer.token_bytes(token_id)


# What the files say, letter by letter.


def test_a_small_tokenizer_in_our_own_file():
    tokenizer = replace(made_of((A, B), (256, C)), name="小", corpus_digest="0123")
    values = json.loads(formats.dumps(tokenizer)["tokenizer.bpe.json"])
    assert values.pop("recipe")["pattern"] == "none"
    assert values == {
        "format": "bpe-playground",
        "version": 1,
        "name": "小",
        "corpus_digest": "0123",
        "merges": [[97, 98, 1], [256, 99, 1]],
    }


@pytest.mark.parametrize("specials", [(), SPECIALS, ("é", "中")])
def test_our_own_file_gives_an_equal_value(specials):
    tokenizer = made_of((A, B), (256 + len(specials), C), special_tokens=specials)
    assert formats.loads(formats.dumps(tokenizer)) == tokenizer
    loaded = formats.loads(formats.dumps(tokenizer), name="mine")
    assert loaded.name == "mine"


# Files and directories.


def test_the_name_of_a_tokenizer_is_none(tmp_path):
    with pytest.raises(TypeError, match=r"such as bpe.encoding\('gpt2'\), not str: 'gpt2'"):
        bpe.save("gpt2", tmp_path / "x")  # type: ignore[arg-type]


@pytest.mark.parametrize("format", ["bpe", "huggingface", "gpt2", "tiktoken"])
def test_save_and_load(format, tmp_path):
    suffix = {"tiktoken": ".tiktoken", "gpt2": ""}.get(format, ".json")
    path = tmp_path / f"mine{suffix}"
    tokenizer = trained("gpt2")
    for name in (path.name, "tokenizer.json"):
        with pytest.raises(BPEError, match="there is no folder"):
            bpe.save(tokenizer, tmp_path / "new" / "folder" / name, format=format)
    assert list(tmp_path.iterdir()) == []
    bpe.save(tokenizer, path, format=format)
    loaded = formats.load(path, pattern="gpt2")
    assert loaded.encode("你好，世界", disallowed_special=()) == tokenizer.encode("你好，世界")
    assert path.is_dir() == (format == "gpt2")
    assert loaded.name == ("trained" if format == "bpe" else path.name)


def test_a_directory_is_searched_for_a_tokenizer(tmp_path):
    with pytest.raises(BPEError, match=r"has no tokenizer\.json, no vocab\.json with merges\.txt"):
        bpe.load(tmp_path)
    bpe.save(trained("cl100k"), tmp_path / "x.tiktoken", "tiktoken")
    assert isinstance(bpe.load(tmp_path, pattern="cl100k"), BytePairEncoder)
    bpe.save(trained("gpt2"), tmp_path / "tokenizer.json", "bpe")
    assert bpe.load(tmp_path) == replace(trained("gpt2"), name=tmp_path.name)


def test_a_path_that_cannot_be_used_is_named(tmp_path):
    with pytest.raises(BPEError, match="Give the path of a tokenizer, not bytes"):
        bpe.load(b"mine.json")
    with pytest.raises(BPEError, match=r"missing\.json” cannot be read: No such file"):
        bpe.load(tmp_path / "missing.json")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(BPEError, match="cannot be written"):
        bpe.save(trained(), tmp_path / "file" / "x.json")


def test_a_file_over_the_limit_is_not_even_read(tmp_path):
    with (tmp_path / "huge.json").open("wb") as file:
        file.truncate(formats.MAX_BYTES + 1)
    with pytest.raises(BPEError, match=r"“huge.json” has 64\.0 MB; the limit is 64\.0 MB"):
        bpe.load(tmp_path / "huge.json")


# A file is what is in it, whatever its name.


@pytest.mark.parametrize("name", ["x.json", "x.tiktoken", "x.model", "x.txt", "x.bin", "x"])
@pytest.mark.parametrize("format", ["bpe", "huggingface", "tiktoken"])
def test_a_misleading_name_does_no_harm(format, name, tmp_path):
    tokenizer = trained("gpt2")
    bpe.save(tokenizer, tmp_path / name, format)
    loaded = bpe.load(tmp_path / name, pattern="gpt2")
    assert loaded.encode("你好，世界") == tokenizer.encode("你好，世界")
    assert isinstance(loaded, BytePairEncoder)


@pytest.mark.parametrize(
    ("content", "name", "kind"),
    [
        (b"IQ== 0\r\nIg== 1\r\n", "a.json", ".tiktoken"),
        (b"\nIQ== 0", "a.txt", ".tiktoken"),
        (b"\xef\xbb\xbf \n{}", "a.tiktoken", ".json"),
        (b"#version: 0.2\na b\n", "a.json", ".txt"),
        (b"a b\n", "merges.txt", ".txt"),  # too little to tell
        (b"IQ= 0\n", "a.TIKTOKEN", ".tiktoken"),
        (b"abc 1\n", "a.txt", ".txt"),  # no base64
        (b"", "a.model", ".model"),
        (b"\n", "a.json", ".json"),
        ((Path(__file__).parent / "data" / "bpe.model").read_bytes(), "a.json", ".model"),
    ],
)
def test_a_format_is_recognised_by_its_first_bytes(content, name, kind):
    assert formats.kind_of(content, name) == kind


# What cannot be said in a format is refused.


@pytest.mark.parametrize(
    ("tokenizer", "format", "message"),
    [
        # abc made twice: ab + c and a + bc
        (made_of((A, B), (B, C), (256, C), (A, 257)), "huggingface", "both be written “abc”"),
        (made_of((A, B), (B, C), (256, C), (A, 257), pattern="gpt2"), "gpt2", "Tokens 258 and 259"),
        (made_of((A, B), (B, C), (256, C), (A, 257)), "tiktoken", "Token 259 (abc) is not what"),
        # bc merges first, so ab + c is never met within abc, but tiktoken would join a + bc
        (made_of((B, C), (A, B), (257, C)), "tiktoken", "Token 258 (abc) is not what its own"),
        # a special token that reads like the byte E4, and one that reads like a merge
        (made_of((A, B), special_tokens=("ä",)), "huggingface", "Tokens 256 and 228 would both"),
        (made_of((A, B), special_tokens=("ab",)), "huggingface", "Tokens 256 and 257 would both"),
        (made_of((A, B), pattern="cl100k"), "gpt2", "imply its split pattern"),
        (made_of((A, B), pattern="gpt2", normalisation="NFC"), "gpt2", "no normalisation"),
        (made_of((A, B), normalisation="NFC"), "tiktoken", "cannot say that text is normalised"),
        (made_of((A, B)), "yaml", "There is no format “yaml”. Choose one of: bpe, huggingface,"),
    ],
)
def test_what_a_format_cannot_say_is_refused(tokenizer, format, message):
    with pytest.raises(BPEError) as error:
        formats.dumps(tokenizer, format)
    assert message in str(error.value)


def test_merges_txt_cannot_begin_a_merge_with_its_version_line():
    spelled = b"#version"
    pairs = [(spelled[0], spelled[1])]
    pairs += [(256 + n, byte) for n, byte in enumerate(spelled[2:])]
    pairs.append((256 + len(pairs) - 1, ord(":")))
    with pytest.raises(BPEError, match="begins with “#version”"):
        formats.dumps(made_of(*pairs, pattern="gpt2"), "gpt2")
    formats.dumps(made_of(*pairs[:-1], pattern="gpt2"), "gpt2")


# Our own file, broken.


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other"}, "its format is not bpe-playground"),
        ({"version": 2}, "has version 2 of its format; only version 1 can be read"),
        ({"extra": 1}, "missing or unknown fields: extra"),
        ({"name": 1}, "its name is no text"),
        ({"corpus_digest": []}, "its name is no text"),
        ({"merges": {}}, "are not a list"),
        ({"merges": [[97, 98]]}, "merge [97, 98] is not three whole numbers"),
        ({"merges": [[97, 98, True]]}, "merge [97, 98, True] is not three whole numbers"),
        ({"merges": [[97, 98.0, 1]]}, "merge [97, 98.0, 1] is not three whole numbers"),
        ({"merges": [[97, 98, 1], [257, 97, 1]]}, "merge [257, 97, 1] joins what is not there"),
        ({"merges": [[97, -1, 1]]}, "merge [97, -1, 1] joins what is not there"),
        ({"merges": [[97, 98, -1]]}, "has a negative count"),
        ({"merges": [[97, 98, 1], [97, 98, 1]]}, "makes the same merge twice"),
        (
            {"merges": [[97, 97, 1], *([n, n, 1] for n in range(256, 300))]},
            "its tokens are too long",
        ),
        ({"recipe": None}, "The recipe in this file is not an object"),
        ({"recipe": {"colour": "red"}}, "The recipe has unknown fields: colour"),
        ({"recipe": {"pattern": []}}, "given by their names"),
        ({"recipe": {"merges": 0}}, "its recipe allows 0 merges"),
        ({"recipe": {"special_tokens": ["x"]}}, None),
    ],
)
def test_a_file_of_ours_that_does_not_fit_is_refused(change, message):
    values = json.loads(formats.dumps(made_of((A, B)))["tokenizer.bpe.json"])
    file = {"x.json": json.dumps({**values, **change}).encode()}
    if message is None:  # ids move by one with a special token, and all still fits
        assert formats.loads(file).token_bytes(257) == b"ab"
        return
    with pytest.raises(BPEError) as error:
        formats.loads(file)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "–: not the files of one tokenizer"),
        ({"a.json": b"{}", "b.json": b"{}"}, "a.json, b.json: not the files of one tokenizer"),
        ({"a.exe": b""}, "a.exe: not the files of one tokenizer"),
        ({"a.json": b""}, "“a.json” is not valid JSON"),
        ({"a.json": b"\xff\xfe\x00"}, "“a.json” is not valid JSON"),
        ({"a.json": b"[" * 100_000}, "“a.json” is not valid JSON"),
        ({"a.json": b"[]"}, "“a.json” is JSON, but not an object"),
        ({"a.json": b"{}"}, "it has neither “format” nor “model”"),
        ({"vocab.json": b'{"a": 1}'}, "“vocab.json” is half a tokenizer"),
        ({"vocab.json": b'{"format": 1, "model": 2}'}, "“vocab.json” is half a tokenizer"),
        ({"merges.txt": b"a b"}, "“merges.txt” is half a tokenizer"),
        ({"a.json": b"#version: 0.2\na b"}, "“a.json” is half a tokenizer"),
        ({"a.json": b"YQ== 0\nYQ== 1"}, "Line 2 of the rank file is not a token"),
        ({"a.json": b"\n<!DOCTYPE html><html>"}, "“a.json” is a web page, not a tokenizer"),
        (
            {"a.model": b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"},
            "“a.model” only points to a large file (Git LFS)",
        ),
        ({"vocab.json": b'{"a": "b"}', "merges.txt": b""}, "must give each token a whole number"),
        ({"vocab.json": b"{}", "merges.txt": b"a b c"}, "Line 1 of merges.txt is not two tokens"),
        ({"vocab.json": b"{}", "merges.txt": b"\xff"}, "merges.txt is not UTF-8"),
        ({"vocab.json": b'{"a": 1}', "merges.txt": b""}, "not the files of a byte-level BPE"),
        *(
            ({"a.tiktoken": line}, "Line 1 of the rank file is not a token in base64 and its n")
            for line in (b"YQ== 0 0", b"Y!== 0", b"YQ== x", b"YQ== -1")
        ),
        ({"a.tiktoken": b"YQ== 0\nYg== 0"}, "Line 2 of the rank file is not a token"),
        ({"a.tiktoken": b"YQ== 0"}, "has no token for byte 00"),
        ({"a.model": b"not a model"}, "This is not a SentencePiece model"),
        ({"a.model": b""}, "must have one unknown piece, not 0"),
    ],
)
def test_files_that_are_no_tokenizer_are_refused(files, message):
    with pytest.raises(BPEError) as error:
        formats.loads(files)
    assert message in str(error.value)


def test_a_rank_file_does_not_say_its_pattern_so_that_loading_asks(tmp_path):
    path = tmp_path / "mine.tiktoken"
    bpe.save(made_of((A, B)), path, "tiktoken")
    with pytest.raises(BPEError, match="“mine.tiktoken” does not say how text is split"):
        bpe.load(path)
    with pytest.raises(BPEError, match="There is no split pattern “gpt9”"):
        bpe.load(path, pattern="gpt9")
    published = path.rename(tmp_path / "r50k_base.tiktoken")
    assert bpe.load(published).pattern == "gpt2"


def test_links_and_pipes_are_written_to_and_not_replaced(tmp_path):
    tokenizer = bpe.train(["low lower"], bpe.Recipe(merges=2))
    real, link, pipe = (tmp_path / name for name in ("real.json", "link.json", "pipe"))
    real.write_text("old")
    link.symlink_to(real)
    os.mkfifo(pipe)
    bpe.save(tokenizer, link)
    assert link.is_symlink()
    assert bpe.load(real).merges == tokenizer.merges
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(pipe.read_bytes)
        bpe.save(tokenizer, pipe)
        assert read.result(10) == real.read_bytes()
    assert pipe.is_fifo()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.json", "pipe", "real.json"]


# The files that ``fuzz.damaged_files`` damages load as they are.


@pytest.mark.parametrize("name", FILES)
def test_the_files_themselves_load(name):
    assert use(FILES[name])
