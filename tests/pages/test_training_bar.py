"""The bar over a training says what is going on in every phase."""

import pytest
from streamlit.testing.v1 import AppTest


def draw(steps: list[tuple], seconds: float, between_merges: float = 0) -> None:
    """Draw a bar that is told each step some seconds after the one before, a merge at once."""
    from bpe.progress import Progress
    from playground.train.job import TrainingBar

    bar = TrainingBar(over_former=bool(between_merges))
    for step in steps:
        if step[0] == "merge":
            bar._drawn -= between_merges
            bar._began = bar._began and bar._began - between_merges
            bar.merged(*step[1:])
        else:
            bar._drawn -= seconds
            bar.progress(Progress(*step))


def shown(steps: list[tuple], seconds: float = 1) -> tuple[str, int]:
    app = AppTest.from_function(draw, args=(steps, seconds))
    app.query_params["lang"] = "en"
    app.run()
    assert not app.exception
    (bar,) = app.get("progress")
    return bar.proto.text, bar.proto.value


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (("compiling", 0, None), ("Compiling the learner, once for this server…", 0)),
        (("counting", 2_500, 10_000), ("Counting words: 2,500 of 10,000 characters", 25)),
        (("joining", 3, 4), ("Gathering the words…", 75)),
        (("indexing", 1, 3), ("Looking up where each pair occurs…", 33)),
        (("merge", 7, 0.1, ["`lo`"], 1234), ("Merge 7: `ˋloˋ`, seen 1,234 times", 10)),
    ],
)
def test_every_phase_has_its_words_and_its_share(step, expected):
    assert shown([step]) == expected


def test_a_long_merge_leaves_the_words_of_the_one_before():
    steps = [("merge", 7, 0.1, ["lo"], 12), ("merging", 14, 70)]
    assert shown(steps) == ("Merge 7: `lo`, seen 12 times", 20)


def test_short_merges_are_drawn_themselves_not_between_them():
    steps = [("indexing", 1, 3), ("merging", 14, 70), ("merge", 14, 0.2, ["lo"], 12)]
    assert shown(steps, seconds=0.2) == ("Merge 14: `lo`, seen 12 times", 20)


def test_merges_fly_by_with_the_time_that_is_left():
    steps = [("merge", 10, 0.1, ["<b>"], 90), ("merge", 30, 0.25, ["<b>", "lo"], 9)]
    app = AppTest.from_function(draw, args=(steps, 1, 10))
    app.query_params["lang"] = "en"
    app.run()
    assert not app.exception
    (film,) = app.get("html")
    assert "<span>lo</span><span>&lt;b&gt;</span>" in film.proto.body
    assert 'style="height:100%"></i><i style="height:51%"' in film.proto.body
    assert "<small>about 30 s left</small>" in film.proto.body
    assert [caption.value for caption in app.caption] == ["Below is still the former result."]
