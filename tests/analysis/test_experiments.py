"""Experiments: each result is that of a training of its own, on the texts that it says."""

import pytest

import bpe
from bpe.analysis import experiments
from bpe.analysis.experiments import Joined, Lines
from bpe.documents import samples
from bpe.errors import BPEError

PAIRS = [(pair.zh, pair.en) for pair in samples.pairs("news")]
LINES = Lines.of(
    [samples.corpus("zh"), samples.corpus("en")], without=[text for pair in PAIRS for text in pair]
)
RECIPE = bpe.Recipe(min_frequency=2, special_tokens=("<|end|>",))


def test_lines_are_told_apart_by_their_letters():
    lines = Lines.of(["长江长\n\nlow 长\n123", "用 GPT-4 训练分词器"], without=["123"])
    assert lines == Lines(("长江长", "用 GPT-4 训练分词器"), ("low 长",))


@pytest.mark.parametrize("share", [0, 0.3, 1])
def test_a_mixture_has_its_share_of_chinese(share):
    budget = LINES.most
    mixed = LINES.mixed(share, budget)
    zh = sum(len(line.encode()) + 1 for line in mixed if line in LINES.zh)
    total = sum(len(line.encode()) + 1 for line in mixed)
    assert abs(zh / total - share) < 0.05
    assert abs(total - budget) < 1000


def test_every_cell_is_that_of_a_training_of_its_own():
    shares, sizes = (0, 0.5, 1), (257, 400, 700)
    found = list(
        experiments.shares_and_sizes(LINES, RECIPE, shares, sizes, PAIRS, most_bytes=20_000)
    )
    assert [(cell.share, cell.size) for row in found for cell in row] == [
        (share, size) for share in shares for size in sizes
    ]
    for row in found:
        for cell in row:
            recipe = bpe.Recipe(
                min_frequency=2, special_tokens=("<|end|>",), vocabulary_size=cell.size
            )
            alone = bpe.train(LINES.mixed(cell.share, min(LINES.most, 20_000)), recipe)
            assert cell.zh.tokens == sum(len(alone.encode(zh)) for zh, _ in PAIRS)
            assert cell.en.tokens == sum(len(alone.encode(en)) for _, en in PAIRS)
            assert cell.premium == cell.zh.tokens / cell.en.tokens


def test_more_chinese_makes_chinese_cheaper():
    rows = experiments.shares_and_sizes(LINES, RECIPE, (0, 1), (700,), PAIRS, most_bytes=10**6)
    (only_english,), (only_chinese,) = rows
    assert only_english.premium > 1.4 > 1 > only_chinese.premium


def test_a_corpus_of_one_language_cannot_be_mixed():
    with pytest.raises(BPEError, match="lines in Chinese and lines in another"):
        list(
            experiments.shares_and_sizes(
                Lines.of(["only English"]), RECIPE, (0,), (300,), PAIRS, most_bytes=10
            )
        )


def test_held_out_lines_are_measured_and_never_trained_on():
    lines = Lines.of([samples.corpus("zh"), samples.corpus("en")])
    held = lines.zh[9::10]
    found = list(experiments.growth(lines, RECIPE, (0.25, 1.0), most_bytes=10**6))
    assert [point.zh.bytes for point in found] == [sum(len(s.encode()) for s in held)] * 2
    trained = [line for part in (lines.zh, lines.other) for line in part]
    whole = [line for line in trained if line not in held and line not in lines.other[9::10]]
    alone = bpe.train(whole, RECIPE)
    assert found[1].zh.tokens == sum(len(alone.encode(line)) for line in held)
    assert found[1].corpus_bytes == sum(len(line.encode()) + 1 for line in whole)
    assert found[0].corpus_bytes < 0.3 * found[1].corpus_bytes


def test_a_corpus_of_few_lines_is_refused():
    with pytest.raises(BPEError, match="at least 10 lines"):
        list(experiments.growth(Lines.of(["a\nb"]), RECIPE, (1.0,), most_bytes=10))


def test_lines_are_held_out_whatever_ends_them():
    train, held = experiments.hold_out(["a\n" * 9 + "held", "b\r\n" * 3])
    assert (train, held) == (["a\n" * 9, "b\r\n" * 3], ["held"])


def test_two_trainings_part_at_the_first_merge_that_differs():
    texts = ["low low lower lowest"]
    greatest = bpe.train(texts, bpe.Recipe(merges=3))
    first = bpe.train(texts, bpe.Recipe(merges=2, tie_break="first-seen"))
    found = experiments.differences(greatest, first)
    assert found.common_merges == 0
    assert found.first == Joined(b"o", b"w", 4)
    assert found.second == Joined(b"l", b"o", 4)
    assert found.both == (b"low",)
    assert (found.only_first, found.only_second) == ((b"ow", b" low"), (b"lo",))
    assert found.share == 0.25
    same = experiments.differences(greatest, experiments.smaller(greatest, 258))
    assert (same.common_merges, same.first, same.second) == (2, Joined(b" ", b"low", 3), None)


def test_other_algorithms_are_refused():
    with pytest.raises(BPEError, match="byte-level BPE"):
        experiments.trained(["low"], bpe.Recipe(algorithm="character-bpe"))
