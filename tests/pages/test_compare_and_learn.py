"""Compare counts with every tokenizer chosen; Learn runs the algorithm on the reader's words."""

from bpe import catalog


def test_counts_are_those_of_the_encoders(open_page):
    app = open_page("compare", tokenizers=["o200k_base", "llama2"])
    app.text_area(key="compare_zh").set_value("你好，世界").run()
    app.text_area(key="compare_en").set_value("Hello, world").run()
    table = app.dataframe[0].value.set_index("tokenizer")
    for name in ("o200k_base", "llama2"):
        encoder = catalog.encoding(name)
        assert table.loc[name, "tokens_zh"] == len(encoder.encode("你好，世界"))
        assert table.loc[name, "tokens_en"] == len(encoder.encode("Hello, world"))


def test_without_a_tokenizer_or_a_text_it_says_what_to_do(open_page):
    app = open_page("compare", tokenizers=[""])
    assert "at least one tokenizer" in app.info[0].value
    app = open_page("compare")
    app.text_area(key="compare_zh").set_value("").run()
    app.text_area(key="compare_en").set_value("").run()
    assert "Type a text" in app.info[0].value
    assert not app.exception


def test_one_language_alone_is_enough(open_page):
    app = open_page("compare")
    app.text_area(key="compare_en").set_value("").run()
    assert not app.exception
    assert not app.error


def test_a_tokenizer_that_needs_the_network_says_so_and_the_others_stay(open_page, monkeypatch):
    def fail(name):
        raise OSError("offline")

    monkeypatch.setattr("tiktoken.get_encoding", fail)
    catalog.encoding.cache_clear()
    app = open_page("compare", tokenizers=["gpt2", "qwen3"])
    assert "has to be downloaded" in app.error[0].value
    assert list(app.dataframe[0].value["tokenizer"]) == ["qwen3"]


def test_the_lesson_counts_chooses_and_merges(open_page):
    app = open_page("learn")
    app.text_area(key="lesson_words").set_value("low lower lowest").run()
    pairs = app.dataframe[0].value
    assert list(pairs.itertuples(index=False, name=None))[:2] == [("l o", 3), ("o w", 3)]
    assert app.dataframe[1].value["after"][0] == "lo w </w>"


def test_the_lesson_takes_bytes_too(open_page):
    app = open_page("learn", unit="bytes", lesson_ties="lexicographic")
    app.text_area(key="lesson_words").set_value("中中").run()
    assert app.dataframe[1].value["before"][0] == "⟨E4⟩ ⟨B8⟩ ⟨AD⟩ ⟨E4⟩ ⟨B8⟩ ⟨AD⟩"


def test_the_learners_can_be_raced(open_page, monkeypatch):
    monkeypatch.setattr("playground.timing.SIZES", (200, 400))
    monkeypatch.setattr("bpe.kernels.ready", lambda: True)
    app = open_page("learn")
    next(button for button in app.button if button.label.startswith("Race")).click().run()
    assert not app.exception
    frame = app.session_state["timing"]
    assert set(frame["learner"]) == {"naive", "incremental", "compiled"}
    assert (frame["seconds"] > 0).all()
    assert "times as fast as the naive one" in app.markdown[-1].value


def test_words_without_a_pair_say_what_to_type(open_page):
    app = open_page("learn", unit="bytes")
    app.text_area(key="lesson_words").set_value("a b").run()
    assert "at least one word of two letters" in app.info[0].value
    assert not app.exception
