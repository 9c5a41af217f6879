"""Learn runs the algorithm on the reader's words."""


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
    monkeypatch.setattr("playground.learn.race.SIZES", (200, 400))
    monkeypatch.setattr("bpe.compiled.ready", lambda: True)
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
