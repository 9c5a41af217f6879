"""What holds for every encoder and every text."""

import itertools
from unittest.mock import patch

from bpe.encoders import base
from bpe.encoders.base import METASPACE, Encoder, adds_leading_space
from bpe.encoders.character import CharacterTokenizer
from bpe.encoders.tokenizer_json import TokenizerJsonEncoder
from bpe.errors import BPEError
from bpe.text.pretokenize import NORMALISATIONS, normaliser
from bpe.text.unicode import scalar_text
from tests.support.texts import SPECIALS


def prepared(encoder: Encoder, text: str) -> str:
    """Return the text that the tokens spell, by what the encoder says of itself."""
    text = scalar_text(text)
    for step in (encoder.normalises or "").split("+"):
        if step in NORMALISATIONS:
            text = normaliser(step)(text)
        elif step == f"{METASPACE} as space":
            text = text.replace(METASPACE, " ")
    if isinstance(encoder, TokenizerJsonEncoder) and adds_leading_space(encoder):
        text = text.removeprefix(" ")  # one that is there already stands for the one put in front
    return text


def the_bytes_are_the_text(encoder: Encoder, text: str) -> None:
    ids = encoder.encode_ordinary(text)
    expected = prepared(encoder, text)
    assert encoder.decode(ids) == expected
    leading = b" " if adds_leading_space(encoder) and text else b""
    assert b"".join(map(encoder.token_bytes, ids)) == leading + expected.encode()


def no_byte_is_wrong(encoder: Encoder, text: str) -> None:
    """The bytes are the text, with special tokens found as well; or else the encoder says no.

    A tokenizer that loses some text must still answer, with ids that it knows.
    """
    if isinstance(encoder, CharacterTokenizer) or encoder.lossy:
        ids = encoder.encode_ordinary(text)
        encoder.decode(ids)
        assert encoder.count(text) == len(ids)
        return
    the_bytes_are_the_text(encoder, text)
    if encoder.normalises is None and any(token in text for token in SPECIALS):
        ids = encoder.encode(text, allowed_special="all")
        assert encoder.decode_bytes(ids) == scalar_text(text).encode()


def counting_to_a_limit_is_counting(encoder: Encoder, text: str, step: int) -> None:
    """A text is counted ``step`` characters at a time until it has more tokens than a limit."""
    tokens = encoder.count(text)
    assert tokens == len(encoder.encode_ordinary(text))
    for limit in (tokens, tokens - 1, tokens // 2):
        with patch.object(base, "STEP", step):
            told = encoder.count(text, limit=limit)
        assert told == tokens if tokens <= limit else told > limit


def a_stream_has_the_ids_of_the_whole(encoder: Encoder, texts: list[str], step: int) -> None:
    for options in ({"allowed_special": "all"}, {"disallowed_special": ()}):
        streamed = list(encoder.encode_iterable(texts, step=step, **options))
        assert streamed == encoder.encode("".join(texts), **options)


def arrays_and_batches_have_the_same_ids(encoder: Encoder, texts: list[str]) -> None:
    for options in ({"allowed_special": "all"}, {"disallowed_special": ()}):
        expected = [encoder.encode(text, **options) for text in texts]
        assert encoder.encode_batch(texts, **options) == expected
        assert [encoder.encode_to_numpy(text, **options).tolist() for text in texts] == expected


def offsets_follow_each_other(encoder: Encoder, text: str) -> None:
    """Or they are refused, by an encoder that says that it changes or loses text."""
    try:
        ids, spans = encoder.encode_with_offsets(text, disallowed_special=())
    except BPEError:
        assert encoder.normalises or encoder.lossy
        return
    assert len(ids) == len(spans)
    assert all(start <= end for start, end in spans)
    assert all(one <= other for one, other in itertools.pairwise(spans))
