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

    def watched(load, *source):
        encoder = load(*source)
        loaded.append(encoder.name)
        return encoder

    monkeypatch.setattr(catalog, "_load", partial(watched, catalog._load))
    chosen = [pricing.model(name) for name in ("openai/gpt-5", "deepseek/deepseek-v4-pro")]
    columns = counting.count_many(chosen, ["看路", "看天", "路灯"], "three texts")
    assert counting.number_counted(columns) == 3
    assert sorted(loaded) == ["deepseek_v4", "o200k_base"]


# A request as JSON: what is none is refused in words.


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("[" * 100_000, "cannot be read as JSON"),
        ("[\n", "JSON: Expecting value: line 2"),
        ("5", "must be an object"),
        ('{"messages": {"a": 1}}', "must be lists"),
    ],
)
def test_a_request_of_another_shape_is_refused(typed, reason):
    with pytest.raises(BPEError, match=reason):
        request._counted(pricing.model("openai/gpt-4"), request._json(typed), None)
