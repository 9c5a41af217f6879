"""Many texts counted for several models, and requests as JSON."""

from functools import partial

import pytest

from bpe import pricing
from bpe.encoders import catalog
from bpe.errors import BPEError
from bpe.limits import BoundedCache
from playground.cost import counting
from playground.cost import requests as request


def test_many_texts_load_each_tokenizer_once_however_few_are_kept(monkeypatch):
    loaded = []
    monkeypatch.setattr(catalog, "loaded", BoundedCache(limit=0))

    def watched(load, source):
        encoder = load(source)
        loaded.append(encoder.name)
        return encoder

    for load in (catalog._load, catalog._from_cache):
        monkeypatch.setattr(catalog, load.__name__, partial(watched, load))
    chosen = [
        model
        for model in pricing.models()
        if model.id in ("openai/gpt-5", "deepseek/deepseek-v4-pro")
    ]
    columns = counting.count_many(chosen, ["看路", "看天", "路灯"], "three texts")
    assert counting.number_counted(columns) == 3
    assert sorted(loaded) == ["deepseek_v4", "o200k_base"]


# A request as JSON: what is none is refused in words.


@pytest.mark.parametrize(
    "typed", ["[" * 100_000, "[]," * 60_000, "5", "{", '{"messages": {"a": 1}}']
)
def test_a_request_of_another_shape_is_refused(typed):
    with pytest.raises(BPEError):
        request._counted(pricing.model("openai/gpt-4"), request._json(typed), None)


def test_where_json_breaks_is_said():
    with pytest.raises(BPEError, match="cannot be read as JSON: Expecting value: line 2"):
        request._json("[\n")


@pytest.mark.parametrize(
    ("own", "counts", "exactness"),
    [
        (None, (177, 1), "estimate"),  # by the vocabulary that stands in for MiniMax's
        ("cl100k_base", (178, 2), "exact"),
    ],
)
def test_a_request_and_its_answer_are_counted_by_the_chosen_tokenizer(own, counts, exactness):
    model = pricing.model("minimax/minimax-m3")
    encoder = catalog.encoding(own) if own else None
    counted = request._counted(model, [{"role": "user", "content": "你好"}], encoder)
    answer = request._answer(model, "你好", encoder)
    assert (counted.total, answer.tokens) == counts
    assert counted.exactness == answer.exactness == exactness
