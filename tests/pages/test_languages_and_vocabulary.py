"""Chinese against English, and the vocabularies, as a reader of the Compare page meets them."""

import re
from collections.abc import Iterable

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from bpe.algorithm.recipe import Recipe
from bpe.analysis import metrics, vocabulary
from bpe.documents import samples
from bpe.encoders import catalog
from bpe.encoders.base import Encoder
from bpe.training.train import train
from playground import session
from playground.compare.languages import parallel
from playground.compare.languages import table as metrics_table
from playground.session import Entry
from tests.pages.reading import said

QUESTIONS = ("premium", "hanzi", "table")
SECTIONS = ("browse", "overlap", "unreached", "estimate")
SMALL = ("mistral_v2", "llama2")
"""Vocabularies of 32,000 tokens."""
PAIRS = [(pair.zh, pair.en) for pair in samples.pairs()]


@pytest.fixture(scope="module", autouse=True)
def empty_caches():
    """Once for all of them: they ask the same vocabularies, each of which is read in a second."""
    st.cache_data.clear()
    st.cache_resource.clear()


def premium(encoder: Encoder, pairs: Iterable[tuple[str, str]]) -> metrics.Premium:
    return metrics.premium((len(encoder.encode(zh)), len(encoder.encode(en))) for zh, en in pairs)


@pytest.fixture
def opened(open_page):
    """Open a view of the Compare page with these tokenizers."""

    def run(view: str, *, tokenizers=("cl100k_base", "deepseek_v3"), lang="en", **query) -> AppTest:
        return open_page(
            "compare", view=view, tokenizers=list(tokenizers) or [""], lang=lang, **query
        )

    return run


def test_the_sentence_has_the_numbers_of_the_library_on_either_script(opened):
    app = opened("languages")
    for name in ("cl100k_base", "deepseek_v3"):
        micro = premium(catalog.encoding(name), PAIRS).micro
        assert re.search(rf"{session.short(name)} needs {micro:.2f}", said(app))
    app.selectbox(key="parallel").set_value(parallel.TRADITIONAL).run()
    pairs = [(pair.zh_hant, pair.en) for pair in samples.pairs("news")]
    micro = premium(catalog.encoding("deepseek_v3"), pairs).micro
    assert f"needs {micro:.2f}" in said(app)
    assert f"{len(pairs)} pairs" in said(app)


def test_the_table_has_the_numbers_of_the_library(opened):
    app = opened("languages", question="table")
    table = app.dataframe[0].value.set_index("tokenizer")
    encoder = catalog.encoding("deepseek_v3")
    zh, en = zip(*PAIRS, strict=True)
    row = table.loc["DeepSeek V3"]
    expected = premium(encoder, PAIRS)
    assert row["premium_micro"] == expected.micro
    assert row["hanzi_single"] == round(metrics.hanzi_coverage(encoder).share(1), 3)
    assert row["fertility_en"] == metrics.fertility(encoder, en).value
    words = metrics.fertility(encoder, zh, segmenter=metrics.chinese_words)
    assert row["strr_zh"] == pytest.approx(words.strr, abs=0.001)
    assert (row["lossless"], row["normalises"], row["unk"]) == ("yes", "–", "no")
    not_measured = {"normalises", "unk", "vocabulary"}
    defined = {name: metric for name, _label, metric, *_ in metrics_table.figures()}
    assert set(table.columns) - not_measured == {*defined, "lossless"}
    for metric in defined.values():
        meaning = metrics.definition(metric)
        assert meaning.endswith(".")
        assert "Our own measure" in meaning or re.search(r"arXiv|Petrov|TokEval|Efron|Σ", meaning)


def test_the_table_says_what_a_tokenizer_does_to_a_text(opened):
    app = opened("languages", question="table", tokenizers=["llama2", "o200k_base"], lang="zh")
    normalises = app.dataframe[0].value.set_index("tokenizer")["normalises"]
    assert normalises["Llama 2"] == "在最前面加一个空格，把 ▁ 当作空格"
    assert normalises["GPT-4o"] == "–"


def test_ones_own_pairs_are_pasted_or_uploaded_as_files_or_a_table(opened):
    app = opened("languages", parallel="paste")
    assert not app.error  # never an empty form
    app.session_state["parallel_zh"] = "你好\n世界\n三"
    app.session_state["parallel_en"] = "Hello\nworld"
    app.run()
    assert "line 3 is the first without a counterpart" in app.error[0].value
    assert app.session_state["parallel_zh"] == "你好\n世界\n三"
    app.session_state["parallel_en"] = "Hello\nworld\nthree"
    app.run()
    assert not app.error
    assert "3 pairs" in said(app)
    app.selectbox(key="parallel").set_value("table").run()
    content = "note,中文,English\n1,你好,Hello\n2,再见,\n".encode()
    app.file_uploader(key="parallel_table").upload("pairs.csv", content).run()
    assert "Row 3 of" in app.error[0].value


def test_a_table_or_a_file_for_each_language_is_paired(opened):
    app = opened("languages", parallel="table", tokenizers=["o200k_base"])
    rows = [f"{pair.zh}\t{pair.en}\t{pair.zh_hant}" for pair in samples.pairs("news")]
    content = "\n".join(["zh\ten\tzh-TW", *rows]).encode()
    app.file_uploader(key="parallel_table").upload("pairs.tsv", content).run()
    assert not app.exception
    next(box for box in app.selectbox if box.label == "Chinese column").set_value("zh-TW").run()
    pairs = [(pair.zh_hant, pair.en) for pair in samples.pairs("news")]
    assert f"{premium(catalog.encoding('o200k_base'), pairs).micro:.2f}" in said(app)
    two = [("eng_Latn.dev", b"Hello\nBye\n", ""), ("zho_Hans.dev", "你好\n再见\n".encode(), "")]
    app.file_uploader(key="parallel_table").set_value(two).run()
    assert not app.exception
    assert "2 pairs" in said(app)


def each_opens(app, key: str, codes: tuple[str, ...]) -> None:
    for code in codes:
        app.button_group(key=key).set_value(code).run()
        assert not app.exception, code
        assert not app.error, code


def test_a_tokenizer_of_ones_own_is_measured_beside_the_others(open_page):
    recipe = Recipe(
        algorithm="character-bpe", unknown="<unk>", special_tokens=("<unk>",), merges=200
    )
    trained = train([samples.corpus("zh", "law"), samples.corpus("en", "law")], recipe)
    app = open_page("train")
    app.session_state["own tokenizers"] = {"own-12345678": Entry(trained)}
    for key, value in {
        "lang": "en", "tokenizers": ["own-12345678", "llama2"], "view": "languages",
        "parallel": "paste",
    }.items():  # fmt: skip
        app.query_params[key] = value
    app.switch_page("pages/compare.py").run()
    each_opens(app, "question", QUESTIONS)
    app.button_group(key="view").set_value("vocabulary").run()
    each_opens(app, "vocabulary_section", SECTIONS)


def test_every_section_of_the_vocabularies_opens(opened):
    app = opened("vocabulary", tokenizers=SMALL)
    assert len(app.dataframe[0].value) == 1_000  # a window; the file has everything
    total = len(vocabulary.read(catalog.encoding(SMALL[0])))
    assert f"{total:,} of {total:,} tokens" in app.header[0].value
    each_opens(app, "vocabulary_section", SECTIONS)
    app.multiselect(key="tokenizers").set_value(["llama2"]).run()
    app.button_group(key="vocabulary_section").set_value("overlap").run()
    assert "at least two" in app.info[0].value
    app.multiselect(key="tokenizers").set_value([]).run()
    assert "at least one" in app.info[0].value
    app.button_group(key="view").set_value("languages").run()
    assert "at least one" in app.info[0].value


def test_the_browser_finds_what_the_library_finds(opened):
    app = opened("vocabulary", tokenizers=SMALL, vocabulary_search="中")
    entries = vocabulary.read(catalog.encoding(SMALL[0]))
    wanted = entries.search("中")
    assert list(app.dataframe[0].value["id"]) == entries.ids[wanted].tolist()
    app.selectbox(key="vocabulary_order").set_value("-characters").run()
    assert list(app.dataframe[0].value["characters"]) == sorted(
        entries.characters[wanted].tolist(), reverse=True
    )
    assert app.query_params["vocabulary_order"] == "-characters"
    app.button_group(key="vocabulary_search_by").set_value("id").run()
    app.text_input(key="vocabulary_search").set_value("(").run()
    assert "neither an id nor a range" in app.error[0].value
    assert app.text_input(key="vocabulary_search").value == "("
    assert not app.exception


def test_overlap_shows_the_list_that_was_asked_for(opened):
    app = opened(
        "vocabulary",
        tokenizers=SMALL,
        vocabulary_section="overlap",
        overlap_part="second",
        overlap_scripts="han",
    )
    first, second = (vocabulary.read(catalog.encoding(n)) for n in SMALL)
    shared = vocabulary.overlap(first, second)
    han = np.intersect1d(shared.only_second, second.select(scripts=("han",)))
    assert list(app.dataframe[0].value["id"]) == second.ids[han][:1_000].tolist()
    assert f"{len(shared.both):,} tokens have the same bytes" in said(app)
    assert not app.exception


def test_a_tokenizer_that_cannot_encode_is_left_out_and_said(opened):
    tokenizer = train(["a b c"], Recipe(algorithm="character-bpe", merges=1))
    app = opened("languages", question="table", tokenizers=["deepseek_v3"])
    app.session_state["own tokenizers"] = {"own-x": Entry(tokenizer)}
    app.session_state["tokenizers"] = ["own-x", "deepseek_v3"]
    app.run()
    assert not app.exception
    assert "is not in the vocabulary" in app.error[0].value
    assert list(app.dataframe[0].value["tokenizer"]) == ["DeepSeek V3"]


def test_tokens_that_no_text_gives_are_listed(opened):
    app = opened("vocabulary", tokenizers=["glm4"], vocabulary_section="unreached")
    assert not app.exception
    assert "267 tokens of GLM-4" in said(app)
    assert len(app.dataframe[0].value["id"]) == 267
