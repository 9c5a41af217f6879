"""The figures on languages and vocabularies, without the page."""

import pytest

from bpe.analysis import metrics, vocabulary
from bpe.encoders import catalog
from playground.compare.languages import measures, of_texts
from playground.compare.vocabulary import _in_words


def test_the_premium_has_an_interval_where_there_are_pairs_enough():
    many, few = (metrics.Premium(((3, 2), (4, 2)) * times) for times in (5, 4))
    frame = measures.premium_frame({"many": many, "few": few})
    assert frame.to_numpy().tolist() == [
        ["many", 1.75, *many.interval], ["few", 1.75, 1.75, 1.75]
    ]  # fmt: skip
    chart = of_texts(frame).to_dict()
    assert [layer["mark"]["type"] for layer in chart["layer"]] == ["rule", "rule", "circle", "text"]


@pytest.mark.parametrize(("name", "unused"), [("cl100k_base", 16), ("gpt2", 0)])
def test_ids_without_a_token_explain_why_there_are_fewer_tokens_than_entries(name, unused):
    encoder = catalog.encoding(name)
    sentences = list(_in_words(vocabulary.read(encoder), encoder.vocabulary_size))
    size = f"{encoder.vocabulary_size:,}"
    assert sentences[1:] == [f"Of its {size} ids, 16 stand for no token."] * (unused > 0)
