"""Counted bit by bit, a text has as many tokens as counted at once, under every tokenizer."""

import json
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe import files, limits
from bpe.documents import samples
from bpe.encoders import catalog, sentencepiece
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from fuzz import properties

NAMES = [entry.name for entry in catalog.encodings()]
MIXED = "\n".join(f"{pair.zh}\n{pair.en}  \n\n" for pair in samples.pairs())
ONE_LINE = MIXED.replace("\n", " ")
MODELS = ["unigram", "unigram_unk", "bpe"]
TRICKY = st.text(alphabet=list("aB中文，。'’ \n\r\t1９é\u0301\u200d👩<|>/s_-ก▁"), max_size=120)


@pytest.mark.parametrize("name", NAMES)
def test_the_samples_count_alike_up_to_a_limit(name):
    encoder = catalog.encoding(name)
    for text, step in (
        (MIXED, 50),
        (MIXED, 3000),
        (ONE_LINE, 1000),
        (ONE_LINE.replace(" ", ""), 1000),
    ):
        properties.counting_to_a_limit_is_counting(encoder, text, step)
    for text in (" \ufffd", "a▁b ▁"):  # found at random
        properties.counting_to_a_limit_is_counting(encoder, text, 3)


def model(name: str):
    path = Path(__file__).parents[1] / "files" / "data" / f"{name}.model"
    return files.loads({path.name: path.read_bytes()})


@pytest.mark.parametrize("name", MODELS)
def test_a_sentencepiece_model_goes_through_a_single_line_in_blocks(name):
    encoder = model(name)
    blocks = list(encoder._in_blocks(encoder._normalise(ONE_LINE * 4)))
    assert len(blocks) >= len(ONE_LINE * 4) // sentencepiece._BLOCK


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=200)
@given(text=TRICKY, block=st.integers(1, 12))
def test_a_sentencepiece_model_gives_the_same_ids_in_blocks_of_any_size(name, text, block):
    encoder = model(name)
    at_once = encoder.encode(text, disallowed_special=())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentencepiece, "_BLOCK", block)
        assert encoder.encode(text, disallowed_special=()) == at_once


SENTENCEPIECE = [entry.name for entry in catalog.encodings() if entry.kind == "SentencePiece"]


def turns_of_another(work) -> int:
    """Return how often another thread had its turn while ``work`` was done."""
    over, turns = threading.Event(), []

    def look() -> None:
        while not over.wait(0.002):
            turns.append(1)

    watching = threading.Thread(target=look)
    watching.start()
    work()
    over.set()
    watching.join()
    return len(turns)


def characters() -> Encoder:
    model = {"type": "BPE", "vocab": {"a": 0, "aa": 1}, "merges": ["a a"]}
    content = json.dumps({"version": "1.0", "added_tokens": [], "model": model}).encode()
    return files.loads({"tokenizer.json": content})


@pytest.mark.parametrize(
    ("load", "sign"),  # between two of which no vocabulary says whether they may be cut
    [
        (lambda: catalog.encoding(SENTENCEPIECE[0]), "a"),
        (lambda: model("bpe"), "\U000f0000"),
        (characters, "\U000f0000"),
    ],
    ids=["catalogue", "model", "tokenizer.json"],
)
def test_a_text_in_one_piece_that_has_no_room_is_refused(load, sign, monkeypatch):
    encoder = load()
    monkeypatch.setattr(limits, "available_memory", lambda: 10 << 20)
    text = sign * 500_000
    with pytest.raises(BPEError, match="MB of memory, which are not free"):
        encoder.encode(text)


@pytest.mark.parametrize("name", SENTENCEPIECE)
@pytest.mark.parametrize("special", ["", "<|user|>"])
def test_others_go_on_while_a_text_without_a_place_to_cut_is_encoded(name, special):
    encoder = catalog.encoding(name)
    text = "abcdefghij" * 150_000 + special
    at_once = encoder.encode_ordinary(text)  # which reads its tables
    counted = []
    assert turns_of_another(lambda: counted.append(encoder.count(text))) > 10
    assert counted == [len(at_once)]


STREAMS = [
    [], [""], ["low ", "lower", " 看路 灯"], ["a <s>", " b ſ aa\n", "\ud83d", "\ude00 x"]
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_stream_is_counted_as_its_whole_text(name, monkeypatch):
    encoder = catalog.encoding(name)
    monkeypatch.setattr(type(encoder._backend), "counted_at_once", 3)
    for texts in STREAMS:
        assert encoder.count_iterable(texts) == encoder.count("".join(texts))


@pytest.mark.parametrize("name", NAMES)
def test_a_stream_is_cut_right_beside_special_tokens_without_harm(name):
    encoder = catalog.encoding(name)
    for text in ("<s>ſaaa", "ſ<s>ſ aa", "a <s> b<s>", "<s><s> ſ", "中<s>中 <s>"):
        for token in [*list(encoder.special_tokens)[:1], "<s>"]:
            for step in (1, 2, 3):
                spelled = [text.replace("<s>", token)]
                properties.a_stream_has_the_ids_of_the_whole(encoder, spelled, step)
