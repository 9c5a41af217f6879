"""Split patterns of one's own: trained, saved, limited, and wrong ones said to be so."""

import json
import subprocess
import sys

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

import bpe
from bpe import files, sandbox
from bpe.algorithm.basic import merge_pair
from bpe.errors import BPEError
from bpe.sandbox import places
from bpe.text import cuts, own_pattern, pretokenize

HANZI = r"regex:\p{Han}|[^\p{Han}\s]+|\s+"
WORDS = r"regex:\w+|\W"
THREES = r"regex:\d{1,3}|\D"
TEXTS = ["low lower lowest, 1234567 你好，世界 南京市长江大桥 ½ ②", "new newest 世界"]


def test_a_text_is_cut_by_the_expression_and_what_is_not_matched_is_a_piece_by_itself():
    assert list(pretokenize.split("长江 low", HANZI)) == ["长", "江", " ", "low"]
    assert list(pretokenize.split("x1234567", THREES)) == ["x", "123", "456", "7"]
    assert list(pretokenize.split("a, b", r"regex:\w")) == ["a", ", ", "b"]


def slowly(tokenizer: bpe.Tokenizer, text: str) -> list[int]:
    """The ids by the definition: pre-token by pre-token, the merges in order."""
    ids: list[int] = []
    for piece in pretokenize.split(text, tokenizer.recipe.pattern):
        symbols = list(piece.encode())
        for left, right, new_id, _ in tokenizer.merges:
            symbols = merge_pair(symbols, (left, right), new_id)
        ids += symbols
    return ids


TOKENIZERS = {
    pattern: bpe.train(TEXTS, bpe.Recipe(pattern=pattern, merges=40))
    for pattern in (HANZI, WORDS, THREES)
}
AGAIN = {
    (pattern, format): files.loads(files.dumps(tokenizer, format), pattern=pattern)
    for pattern, tokenizer in TOKENIZERS.items()
    for format in ("bpe", "huggingface")
}
MIXED = st.text(alphabet="low enst12½②，世界南京市长江大桥\n\u0301_", max_size=40)


@settings(max_examples=60)
@given(text=MIXED, pattern=st.sampled_from([HANZI, WORDS, THREES]))
def test_it_encodes_and_comes_back_from_files_as_the_definition_has_it(text, pattern):
    tokenizer = TOKENIZERS[pattern]
    ids = slowly(tokenizer, text)
    assert tokenizer.encode(text) == ids
    assert tokenizer.decode(ids) == text
    for format in ("bpe", "huggingface"):
        assert AGAIN[pattern, format].encode(text) == ids


def test_the_compiled_encoder_gives_the_same_ids():
    tokenizer = TOKENIZERS[HANZI]
    text = "南京市长江大桥 low lower ½ 12 " * 50
    fast = tokenizer.model.compiled(tokenizer.recipe.pattern)
    assert fast.encode(text) == slowly(tokenizer, text)


def test_a_tokenizer_json_has_the_expression_in_it():
    (content,) = files.dumps(TOKENIZERS[HANZI], "huggingface").values()
    split, _ = json.loads(content)["pre_tokenizer"]["pretokenizers"]
    assert split["pattern"] == {"Regex": own_pattern.expression(HANZI)}


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        (r"\S+$|\s|\S", "cuts otherwise in Hugging Face tokenizers"),
        (r"[\w--\d]+|[\s\S]", "cuts otherwise|cannot read"),
    ],
)
def test_what_oniguruma_reads_otherwise_is_not_exported(expression, said):
    tokenizer = bpe.train(["low low"], bpe.Recipe(pattern=f"regex:{expression}", merges=2))
    with pytest.raises(BPEError, match=said):
        files.dumps(tokenizer, "huggingface")


def test_nobody_knows_where_such_a_text_may_be_cut():
    assert cuts.between_pre_tokens(HANZI) is None
    assert list(TOKENIZERS[HANZI].encode_iterable(["low lo", "wer"])) == (
        TOKENIZERS[HANZI].encode("low lower")
    )


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("", "is empty"),
        ("(", r"is not a regular expression: “missing \)” \(near character 1\)"),
        (r"\p{Hann}", "“unknown property” "),
        ("a*", "also matches nothing at all"),
        (r"\w*|\W", "also matches nothing at all"),
        ("(a+)+$|.", "too much time or memory"),
        (r"(\d|\d\d)+x|[\s\S]", "too much time or memory"),
        ("a{3000000}|.", "too much time or memory"),
        ("a{1000000000}", "too much time or memory"),
        ("(?R)a|.", "Recursion, fuzzy matching"),
        (r"(?:low){e<=1}|.", "Recursion, fuzzy matching"),
        ("x" * 2001, "longer than 2000 characters"),
    ],
)
def test_an_expression_that_cannot_be_used_is_said_to_be_so(expression, said, monkeypatch):
    if "time" in said:
        monkeypatch.setattr(own_pattern, "SECONDS", 1.0)
    for _ in range(2):
        with pytest.raises(BPEError, match=said):
            bpe.Recipe(pattern=f"regex:{expression}")
        if not expression.startswith("a{"):  # its memory, which may be there the next time
            monkeypatch.setattr(sandbox, "run", None)


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("zzz", "matches nothing in this text"),
        (r"\w+", "leaves out “·” at character 4"),
        (r"[a-z ]+", "leaves out “你好” at character 9"),
    ],
)
def test_a_corpus_that_is_not_matched_wholly_is_not_trained_on(expression, said):
    with pytest.raises(BPEError, match=said):
        bpe.train(["low low 你好"], bpe.Recipe(pattern=f"regex:{expression}", merges=2))


def test_the_memory_of_an_expression_is_not_hidden_by_that_of_the_server():
    ballast = b"1" * (300 << 20)
    with pytest.raises(BPEError, match="too much time or memory"):
        bpe.Recipe(pattern="regex:a{300000}|.")
    del ballast


def test_special_tokens_need_not_be_matched():
    recipe = bpe.Recipe(pattern=r"regex:\w+", special_tokens=("<|end|>",), merges=2)
    assert len(bpe.train(["low<|end|>low"], recipe).merges) == 2


def test_an_expression_that_runs_away_on_a_later_text_is_stopped(monkeypatch):
    monkeypatch.setattr(own_pattern, "MATCH_SECONDS", 0.2)
    pattern = r"regex:(?:x|xx)+y|[\s\S]"
    tokenizer = bpe.train(["low"], bpe.Recipe(pattern=pattern, merges=1))
    with pytest.raises(BPEError, match="too much time or memory"):
        tokenizer.encode("x" * 200)
    monkeypatch.setattr(own_pattern, "_pieces", None)  # it is not tried again
    with pytest.raises(BPEError, match="too much time or memory"):
        tokenizer.encode("x" * 200)


def test_what_other_threads_do_is_not_counted_as_matching(monkeypatch):
    """The clock of the library runs for the whole process: one timeout is not the last word."""
    pattern, patience = regex.compile("[a-z]+ ?"), []

    class Impatient:
        def finditer(self, text, start, *, timeout, concurrent):
            patience.append(timeout)
            if len(patience) == 1:
                raise TimeoutError
            return pattern.finditer(text, start)

    assert len(list(own_pattern._pieces(Impatient(), "low lower", 3.0))) == 2
    assert patience[:2] == [3.0, 30.0]


def test_a_file_is_under_the_same_limits():
    (name, content), *_ = files.dumps(TOKENIZERS[HANZI], "bpe").items()
    values = json.loads(content)
    values["recipe"]["pattern"] = "regex:(a+)+$|."
    with pytest.raises(BPEError, match="too much time or memory"):
        files.loads({name: json.dumps(values).encode()})


@settings(max_examples=8, deadline=None)
@given(text=st.text(alphabet="low 12½，世界\n", min_size=5, max_size=400))
@pytest.mark.parametrize("expression", [r"\w", r"\w+|\W", r"(?<=o)w|\d{1,3}", r"(?:l|o)+w|.|\n"])
def test_a_long_text_is_cut_alike_in_another_process(expression, text):
    pattern = regex.compile(expression, regex.V1)
    here = list(own_pattern.pieces(pattern, text * 20))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(places.queue, "limits", sandbox.Limits(characters_matched=4))
        assert list(own_pattern.pieces(pattern, text * 20)) == here


def test_what_a_long_text_takes_is_not_taken_of_this_process():
    script = """
import regex
from bpe import sandbox
from bpe.errors import BPEError
from bpe.text import own_pattern
sandbox.configure(sandbox.Limits(characters_matched=100_000))
own_pattern.MATCH_SECONDS, own_pattern.CHARACTERS_A_SECOND = 1.0, 1e9
pattern, text = regex.compile(r"(?:(a)|b)+!|[\\s\\S]", regex.V1), "a" * 4_000_000
before = own_pattern._memory()
try:
    list(own_pattern.pieces(pattern, text))
except BPEError as error:
    print(own_pattern._memory() - before, error)
"""
    said = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout
    taken, _, error = said.partition(" ")
    assert int(taken) < 50 * 2**20
    assert "too much time or memory" in error
