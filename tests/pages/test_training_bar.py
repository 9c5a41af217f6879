"""The bar over a training says what is going on in every phase."""

import pytest
from streamlit.testing.v1 import AppTest


def draw(phase: str, done: int, total: int | None) -> None:
    from bpe.progress import Progress
    from playground import training_bar

    training_bar.REDRAW = -1
    bar = training_bar.TrainingBar()
    bar.merged(7, 70, "`lo`", 1234)
    bar.hear(Progress(phase, done, total))


@pytest.mark.parametrize(
    ("phase", "done", "total", "text", "percent"),
    [
        ("compiling", 0, None, "Compiling the learner, once for this server…", 0),
        ("counting", 2_500, 10_000, "Counting words: 2,500 of 10,000 characters", 25),
        ("joining", 3, 4, "Gathering the words…", 75),
        ("indexing", 1, 3, "Looking up where each pair occurs…", 33),
        ("merging", 7, 70, "Merge 7: `ˋloˋ`, seen 1,234 times", 10),
    ],
)
def test_every_phase_has_its_words_and_its_share(phase, done, total, text, percent, monkeypatch):
    from playground import training_bar

    monkeypatch.setattr(training_bar, "REDRAW", training_bar.REDRAW)
    app = AppTest.from_function(draw, args=(phase, done, total))
    app.query_params["lang"] = "en"
    app.run()
    assert not app.exception
    (bar,) = app.get("progress")
    assert (bar.proto.text, bar.proto.value) == (text, percent)
