"""``bpe train``: large files in parts, and going on from a tokenizer that is there."""

import io
import json

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import bpe
from bpe.cli import streaming
from bpe.cli.train import train
from bpe.encoders.cuts import between_pre_tokens
from bpe.text import samples
from bpe.training.pretokenize import count_words


def run(*arguments: str, stdin: bytes = b"") -> dict[str, object]:
    result = CliRunner().invoke(train, [*arguments, "--json"], input=stdin)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.fixture
def small_parts(monkeypatch):
    """Take everything for large, and cut it into small parts."""
    monkeypatch.setattr(streaming, "LARGE", 1000)
    monkeypatch.setattr(streaming, "_HEAD", 900)
    monkeypatch.setattr(streaming, "_PART", 700)


CHINESE = samples.corpus("zh")


class TestLargeFiles:
    @given(
        text=st.text("ab 中，\n1'<|>", max_size=300),
        pattern=st.sampled_from(["gpt2", "cl100k", "o200k", "deepseek_v3", "whitespace"]),
        size=st.integers(1, 40),
    )
    def test_parts_have_the_words_of_the_whole(self, text, pattern, size):
        blocks = [text[at : at + size] for at in range(0, len(text), size)]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(streaming, "_PART", 10)
            parts = list(streaming.parts(blocks, between_pre_tokens(pattern), ("<|a|>",)))
        assert "".join(parts) == text
        options = {"special_tokens": ("<|a|>",)}
        assert count_words(parts, pattern, **options) == count_words([text], pattern, **options)

    @pytest.mark.usefixtures("small_parts")
    @pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
    def test_a_file_in_parts_gives_the_merges_of_the_whole(self, tmp_path, charset):
        path, output = tmp_path / "corpus.txt", tmp_path / "mine.json"
        path.write_bytes(CHINESE.encode(charset))
        run(str(path), "--vocab-size", "400", "-o", str(output))
        assert bpe.load(output).merges == bpe.train([CHINESE], bpe.Recipe(merges=144)).merges

    @pytest.mark.usefixtures("small_parts")
    @pytest.mark.parametrize("options", [(), ("--charset", "gb18030")])
    def test_so_does_standard_input(self, tmp_path, options):
        output = tmp_path / "mine.json"
        data = CHINESE.encode("gb18030")
        run("-", *options, "--merges", "144", "-o", str(output), stdin=data)
        assert bpe.load(output).merges == bpe.train([CHINESE], bpe.Recipe(merges=144)).merges

    def test_it_is_read_a_part_at_a_time(self, tmp_path, monkeypatch):
        monkeypatch.setattr(streaming, "LARGE", 1000)
        monkeypatch.setattr(streaming, "_PART", 1000)
        path = tmp_path / "corpus.txt"
        path.write_text("low lower\n" * 500_000)
        read = []
        corpus = streaming.Corpus([str(path)], between_pre_tokens("gpt2"), (), on_read=read.append)
        first = next(iter(corpus))
        assert corpus.size == 5_000_000
        assert len(first) < 2_000_000
        assert sum(read) < 3_000_000


class TestStart:
    def test_new_tokens_follow_the_old_ones(self, tmp_path):
        output = tmp_path / "tokenizer.json"
        said = run(
            *("-", "--start", "gpt2", "--merges", "20", "--min-frequency", "2"),
            *("-o", str(output)),
            stdin=CHINESE.encode(),
        )
        assert said["new_ids"] == [50257, 50276]
        assert said["start"] == "gpt2"
        recipe = bpe.Recipe(merges=20, min_frequency=2)
        own = bpe.train([CHINESE], recipe, start=bpe.encoding("gpt2"))
        assert bpe.load(output).encode(CHINESE) == own.encode(CHINESE)

    def test_the_number_of_merges_has_to_be_said(self, tmp_path):
        arguments = ["-", "--start", "gpt2", "-o", str(tmp_path / "x.json")]
        result = CliRunner().invoke(train, arguments, input="low")
        assert result.exit_code == 2
        assert "say how many --merges" in result.output


def test_what_was_read_already_is_chained_before_the_rest():
    chained = io.BufferedReader(streaming._Chained(b"ab", io.BytesIO(b"cdef")))
    assert chained.read() == b"abcdef"
