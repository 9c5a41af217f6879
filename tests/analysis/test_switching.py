"""What a change of tokenizer does to texts: worked out by hand."""

from bpe.analysis.switching import Switch

SWITCH = Switch(before=[10, 4, 0, 20, 1], after=[12, 2, 3, 20, 2])


def test_all_texts_together_and_each_alone():
    assert SWITCH.percent == 11.4286  # 39 of 35
    assert SWITCH.percents == [20, -50, 0, 0, 100]
    assert [SWITCH.at(share) for share in (0.0, 0.5, 0.9, 1.0)] == [-50, 0, 100, 100]


def test_no_text_changes_nothing():
    empty = Switch([], [])
    assert (empty.percent, empty.at(0.5), empty.growing_most()) == (0, 0, [])


def test_the_texts_that_grow_most_come_first_and_the_longer_of_equals():
    assert SWITCH.growing_most(3) == [4, 0, 2]
    assert Switch([1, 2], [2, 4]).growing_most(1) == [1]
