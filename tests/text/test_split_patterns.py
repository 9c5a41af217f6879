"""Each split pattern is that of the published tokenizer: held against the engines of others."""

import itertools
from contextlib import suppress
from functools import cache

import pytest
import splintr
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Regex, pre_tokenizers

from bpe.text.pretokenize import PATTERNS, split, split_spans
from bpe.text.unicode import NEWER_RANGES

PATTERN_OF = {
    "cl100k_base": "cl100k",
    "o200k_base": "o200k",
    "llama3": "llama3",
    "glm4": "llama3",
    "qwen3": "qwen2",
    "deepseek_v3": "deepseek_v3",
    "kimi_k2": "kimi_k2",
    "kimi_k3": "kimi_k2",
    "mistral_v3": "mistral_v3",
}

KINDS = [
    *"azÉßAЯДяﬁǅʰªش",  # letters, of all cases and of none
    *"中国龥龦々㐀𠀀⺀〇〡",  # 汉字 inside and outside of 一 to 龥, Han letters, signs and numbers
    *"あゔ゙゛ゝゟ゠ァヺ・ーヿㇰ\u3040\u3097",  # kana: letters, marks, signs, unassigned
    *"한글हिक्षไทย",
    *"\u0301\u20dd\u0e31\U00016ff0\ufe0f",  # marks
    *"019٣२²½Ⅷ０",  # numbers
    *"   \t\u3000\xa0\u2028\x85\x0b\n\n\n\r",
    *"''’",
    *"sStTſdmlLvVrReE",  # the letters of contractions
    *'/!.,-_$+^`~[\\"。，“—€',
    *"😀👍🏽\u200d\u200b\ufeff\x00\x7f\ue000\U0010ffff",
]
NEWER = [chr(edge) for newer in NEWER_RANGES for edge in newer]
SEQUENCES = ["'ll", "'S", "\r\n", "  ", "\n ", "...", "Word", "word", "中文", "カナ"]
known = st.sampled_from(KINDS) | st.sampled_from(SEQUENCES)
rows = st.lists(known, max_size=40) | st.lists(known | st.sampled_from(NEWER), max_size=40)
awkward = rows.map("".join)


@cache
def published(encoding: str) -> "splintr.AnyTokenizer":
    return splintr.Tokenizer.from_pretrained(encoding)


@cache
def ranks(encoding: str) -> dict[bytes, int]:
    """The bytes of each token of an encoding, special tokens left out, and its id."""
    engine = published(encoding)
    specials = set(engine.special_tokens().values())
    found: dict[bytes, int] = {}
    for token_id in range(splintr.base_vocab_size(encoding)):
        with suppress(ValueError):  # there are gaps
            if token_id not in specials and (data := engine.decode_token_bytes(token_id)):
                found.setdefault(data, token_id)
    return found


@cache
def tiktoken_by(encoding: str, pattern: str) -> tiktoken.Encoding:
    """The engine of tiktoken with the merges of an encoding and some pattern."""
    return tiktoken.Encoding(
        encoding, pat_str=pattern, mergeable_ranks=ranks(encoding), special_tokens={}
    )


def ids(text: str, encoding: str) -> list[int]:
    """The ids of a text by our split and the merges of the encoding."""
    merging = tiktoken_by(encoding, "(?s).+")
    pieces = split(text, PATTERN_OF[encoding])
    return [token for piece in pieces for token in merging.encode_ordinary(piece)]


@pytest.mark.parametrize("encoding", PATTERN_OF)
@settings(max_examples=200)
@given(text=awkward)
def test_any_text_has_the_ids_of_the_encoding_and_of_tiktoken(encoding, text):
    engine = tiktoken_by(encoding, PATTERNS[PATTERN_OF[encoding]])
    found = ids(text, encoding)
    assert found == engine.encode_ordinary(text)
    if not {*text} & {*NEWER}:
        assert found == published(encoding).encode_ordinary(text)


def pieces_of(engine: pre_tokenizers.PreTokenizer, text: str) -> list[str]:
    """The pieces of a Hugging Face pre-tokenizer, cut out of the text by their places."""
    return [text[start:end] for _, (start, end) in engine.pre_tokenize_str(text)]


GPT2 = pre_tokenizers.ByteLevel(add_prefix_space=False)

# What the tokenizer.json of DeepSeek V3 has: each step splits within the pieces of the last one.
DEEPSEEK_V3 = pre_tokenizers.Sequence(
    [
        pre_tokenizers.Split(Regex(step), "isolated")
        for step in (
            r"\p{N}{1,3}",
            r"[一-龥\u3040-\u309f\u30a0-\u30ff]+",
            r"[!-/:-@\[-`{-~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*"
            r"|\s*[\r\n]+|\s+(?!\S)|\s+",
        )
    ]
)
ENGINES = {"gpt2": GPT2, "deepseek_v3": DEEPSEEK_V3}


@pytest.mark.parametrize("pattern", ENGINES)
@settings(max_examples=300)
@given(text=awkward)
def test_any_text_has_the_pieces_of_the_engine(pattern, text):
    assert list(split(text, pattern)) == pieces_of(ENGINES[pattern], text)


def test_each_character_of_the_first_planes_is_split_as_by_the_three_steps():
    points = (*range(0xD800), *range(0xE000, 0x20000))
    for first in range(0, len(points), 32):
        characters = map(chr, points[first : first + 32])
        text = "".join(f"A{c}b {c}中{c}{c}1{c}\n" for c in characters)
        assert list(split(text, "deepseek_v3")) == pieces_of(DEEPSEEK_V3, text), hex(points[first])


# Each class that some step of DeepSeek V3 tells from the others, by one character.
DEEPSEEK_V3_KINDS = "aé\u0301中あ\u3099・\u30971 \n.。\x00"


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_the_one_expression_of_deepseek_v3_is_its_three_steps(length):
    for kinds in itertools.product(DEEPSEEK_V3_KINDS, repeat=length):
        text = "".join(kinds)
        assert list(split(text, "deepseek_v3")) == pieces_of(DEEPSEEK_V3, text), repr(text)


@given(text=awkward, pattern=st.sampled_from([*PATTERNS]))
def test_spans_are_those_of_the_pieces(text, pattern):
    spans = list(split_spans(text, pattern))
    assert [text[start:end] for start, end in spans] == list(split(text, pattern))
    assert [0, *(end for _, end in spans)] == [*(start for start, _ in spans), len(text)]
