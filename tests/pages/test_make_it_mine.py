"""Make it mine: a production tokenizer goes on learning on the corpus of the Train page."""

import json

import tokenizers

import bpe
from bpe.analysis.experiments import hold_out
from bpe.documents import samples
from tests.pages.reading import metrics, said

ROBOT = "机器人学会了自己充电，机器人学会了自己走路。\n" * 40


def opened(open_page, **query):
    app = open_page("train", corpus="zh", start="gpt2", new_tokens="60", **query)
    app.session_state["mine"] = True
    return app.run()


def test_nothing_is_learned_before_the_section_is_opened(open_page):
    app = open_page("train", corpus="zh")
    assert metrics(app)["Vocabulary"] == "1,500"
    assert "own-extended" not in app.session_state["own tokenizers"]


def test_what_is_saved_is_counted_on_lines_that_were_held_out(open_page):
    app = opened(open_page)
    assert not app.exception
    train, held = hold_out([samples.corpus("zh")])
    start = bpe.encoding("gpt2")
    own = bpe.train(train, bpe.Recipe(merges=60, min_frequency=2), start=start)
    before, after = (sum(map(encoder.count, held)) for encoder in (start, own))
    assert f"{before:,} → {after:,}" in said(app)
    assert "New ids: 50257 to 50316" in said(app)
    ids = [list(each.value["id"]) for each in app.dataframe if "id" in each.value]
    assert list(range(50257, 50317)) in ids


def test_the_download_is_loaded_in_its_library(open_page):
    app = opened(open_page)
    app.session_state["mine_download"] = True
    app.run()
    assert "Loaded by tokenizers" in said(app, "success")
    tokenizer = app.session_state["own tokenizers"]["own-extended"].tokenizer
    files = bpe.files.dumps(tokenizer, "huggingface")
    theirs = tokenizers.Tokenizer.from_str(files["tokenizer.json"].decode())
    text = "用户可以随时注销账户。"
    assert theirs.encode(text).ids == tokenizer.encode(text)
    assert json.loads(files["tokenizer.json"])["model"]["vocab"]["<|endoftext|>"] == 50256


def test_a_short_corpus_is_measured_on_itself_and_says_so(open_page):
    app = open_page("train", corpus="text", start="gpt2", new_tokens="5")
    app.session_state["typed_corpus"] = ROBOT[:100]
    app.run()
    app.session_state["mine"] = True
    app.run()
    assert "fewer than ten lines" in said(app)


def test_a_corpus_that_teaches_nothing_says_so(open_page):
    app = open_page("train", corpus="text", start="gpt2")
    app.session_state["typed_corpus"] = "a b"
    app.run()
    app.session_state["mine"] = True
    app.run()
    assert "No new token" in said(app, "info")
