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
            bar.waiting(step[1]) if step[0] == "waiting" else bar.progress(Progress(*step))


MERGE = ("merge", 14, 0.2, "`lo`", 1234)
MERGED = ("Merge 14: `ˋloˋ`, seen 1,234 times", 20)


@pytest.mark.parametrize(
    ("steps", "seconds", "expected"),
    [
        ([("waiting", 2)], 1, ("Other corpora are trained first; place in the queue: 2", 0)),
        ([("compiling", 0, None)], 1, ("Compiling the learner, once for this server…", 0)),
        ([("counting", 2_500, 9_999)], 1, ("Counting words: 2,500 of 9,999 characters", 25)),
        ([("joining", 3, 4)], 1, ("Gathering the words…", 75)),
        ([("indexing", 1, 3)], 1, ("Looking up where each pair occurs…", 33)),
        ([MERGE], 1, MERGED),
        # A long merge leaves the words of the one before; between short ones nothing is drawn.
        ([MERGE, ("merging", 14, 70)], 1, MERGED),
        ([("indexing", 1, 3), ("merging", 14, 70), MERGE], 0.2, MERGED),
    ],
)
def test_every_phase_has_its_words_and_its_share(steps, seconds, expected):
    app = AppTest.from_function(draw, args=(steps, seconds))
    app.query_params["lang"] = "en"
    app.run()
    assert not app.exception
    (bar,) = app.get("progress")
    assert (bar.proto.text, bar.proto.value) == expected


def test_a_merge_says_the_time_that_is_left_and_that_the_former_result_stands_below():
    steps = [("merge", 10, 0.1, "lo", 90), ("merge", 30, 0.25, "low", 9)]
    app = AppTest.from_function(draw, args=(steps, 1, 10))
    app.query_params["lang"] = "en"
    app.run()
    assert not app.exception
    (bar,) = app.get("progress")
    assert bar.proto.text == "Merge 30: `low`, seen 9 times · about 30 s left"
    assert [caption.value for caption in app.caption] == ["Below is still the former result."]
