"""What the lessons compute and claim, without the page."""

from bpe.encoders import catalog
from playground.learn import content, corpora
from playground.learn.lessons import chinese, following, numbered, stumble
from playground.learn.lessons.merge import cuts


def test_the_way_through_the_course_leads_past_the_branch_for_coders():
    ways = [(number, lesson.code, following(lesson)) for number, lesson in numbered()]
    after = [(number, code, later and later.code) for number, code, later in ways]
    assert after[0] == ("1", "why", "merge")
    assert after[-4:] == [
        ("9", "chinese", "sheet"), ("9a", "tables", "fast"), ("9b", "fast", "sheet"),
        ("10", "sheet", None),
    ]  # fmt: skip


def test_a_new_word_is_cut_by_the_first_merges_of_a_list_and_may_have_unknown_characters():
    merges = [("o", "w"), ("l", "ow"), ("e", "s"), ("es", "t")]
    found = cuts([*"lowest", "</w>"], merges, None, "</w>")
    assert [(frame.step, frame.sizes, frame.note) for frame in found] == [
        (0, [1, 1, 1, 1, 1, 1, 4], "lowest"),
        (1, [1, 2, 1, 1, 1, 4], "lowest"),
        (2, [3, 1, 1, 1, 4], "lowest"),
        (3, [3, 2, 1, 4], "lowest"),
        (4, [3, 3, 4], "lowest"),
    ]
    (found,) = cuts([*"lo!"], [("x", "y")], {"l", "o", "w"}, "")
    assert (found.labels, found.note) == ([None, None, "<unk>"], "lo<unk>")


def test_the_curve_is_measured_on_real_trainings():
    small, medium, large, *production = chinese.per_hanzi()
    assert 3 > small > medium >= large > 1
    assert corpora.trained(1_000).vocabulary_size == 1_000
    assert corpora.trained(32_000).vocabulary_size < 32_000
    assert len(production) == 3


def test_what_the_probes_claim_of_tokens_is_so():
    def tokens(name, text):
        encoder = catalog.encoding(name)
        return [encoder.token_bytes(number).decode() for number in encoder.encode(text)]

    for name in ("o200k_base", "qwen3", "deepseek_v3", "llama3"):
        assert "的是" in tokens(name, "红的是花，白的是云")
        assert tokens(name, "2+2") == ["2", "+", "2"]
    assert "的是".encode() not in catalog.encoding("cl100k_base").ranks
    assert tokens("o200k_base", "12345678") == ["123", "456", "78"]
    assert tokens("qwen3", "12345678") == list("12345678")
    assert tokens("gpt2", " SolidGoldMagikarp") == [" SolidGoldMagikarp"]
    assert len(tokens("o200k_base", " SolidGoldMagikarp")) == 5


def test_what_most_of_the_tokens_are_that_qwen3_never_makes_can_be_guessed():
    _question, options = content.bet("stumble.never", {})
    assert stumble._dead()[0] == {"thai"} <= set(options)
