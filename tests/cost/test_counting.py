"""Many texts counted for several models."""

from functools import partial

from bpe import pricing
from bpe.encoders import catalog
from bpe.encoders.bounded import BoundedCache
from playground.cost import counting


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
