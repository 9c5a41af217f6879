"""Counted bit by bit, a text has as many tokens as counted at once, under every tokenizer."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bpe
from bpe import catalog, formats, samples
from bpe.counting import count_steadily
from bpe.recipe import Recipe

NAMES = [entry.name for entry in catalog.encodings() if not entry.needs_network]
MIXED = "\n".join(f"{pair.zh}\n{pair.en}  \n\n" for pair in samples.pairs())
TRICKY = st.text(alphabet=list("aB中文，。'’ \n\r\t1９é\u0301\u200d👩<|>/s_-ก"), max_size=120)


@pytest.fixture(scope="module")
def own():
    trained = bpe.train([samples.corpus("zh")], Recipe(vocabulary_size=700))
    return {
        "ours": trained,
        **{
            format: formats.loads(formats.dumps(trained, format), pattern="gpt2")
            for format in ("huggingface", "tiktoken")
        },
    }


def whole(encoder, text: str) -> int:
    return len(encoder.encode(text, disallowed_special=()))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("step", [50, 3000])
def test_the_samples_count_alike_in_any_steps(name, step):
    encoder = catalog.encoding(name)
    told = list(count_steadily(encoder, MIXED, step=step))
    assert told[-1] == (len(MIXED), whole(encoder, MIXED))
    assert len(told) > len(MIXED) / step / 10
    assert told == sorted(told)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60)
@given(text=TRICKY)
def test_any_text_counts_alike_in_small_steps(name, text):
    encoder = catalog.encoding(name)
    told = list(count_steadily(encoder, text, step=3))
    assert (told[-1][1] if told else 0) == whole(encoder, text)


@pytest.mark.parametrize("name", ["ours", "tiktoken", "huggingface"])
def test_tokenizers_of_ones_own_count_alike(own, name):
    told = list(count_steadily(own[name], MIXED, step=500))
    assert told[-1] == (len(MIXED), whole(own[name], MIXED))


def test_nothing_has_nothing_to_tell():
    assert list(count_steadily(catalog.encoding("qwen3"), "")) == []


def test_half_a_surrogate_pair_is_counted_as_what_stands_for_it():
    told = list(count_steadily(catalog.encoding("o200k_base"), "a\ud800b"))
    assert told == [(3, whole(catalog.encoding("o200k_base"), "a\ud800b"))]
