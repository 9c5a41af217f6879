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
from bpe.documents import samples
from bpe.text.cuts import between_pre_tokens
from bpe.text.pretokenize import count_words


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

    @pytest.mark.usefixtures("small_parts")
    @pytest.mark.parametrize("charset", ["utf-8", "gb18030"])
    def test_a_large_table_gives_the_merges_of_its_texts(self, tmp_path, charset):
        path, output = tmp_path / "corpus.jsonl", tmp_path / "mine.json"
        texts = CHINESE.splitlines()
        lines = (json.dumps({"n": 1, "body": text}, ensure_ascii=False) for text in texts)
        path.write_bytes("\n".join(lines).encode(charset))
        run(str(path), "--vocab-size", "400", "-o", str(output))
        expected = bpe.train(filter(None, texts), bpe.Recipe(merges=144))
        assert bpe.load(output).merges == expected.merges


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


class TestRecipesOfPapers:
    def test_whole_characters(self, tmp_path):
        path, output = tmp_path / "zh.txt", tmp_path / "mine.json"
        path.write_text(CHINESE, encoding="utf-8")
        run(str(path), "--merges", "300", "--whole-characters", "-o", str(output))
        recipe = bpe.Recipe(merges=300, whole_characters=True)
        assert bpe.load(output).merges == bpe.train([CHINESE], recipe).merges

    def test_superwords_reach_across_words(self, tmp_path):
        path, output = tmp_path / "en.txt", tmp_path / "mine.json"
        path.write_text("of the world, of the sea, of the sky", encoding="utf-8")
        said = run(str(path), "--merges", "12", "--superwords", "0.5", "-o", str(output))
        assert said["vocabulary_size"] == 268
        tokens = map(bpe.load(output).token_bytes, range(256, 268))
        assert any(b" " in token.strip() for token in tokens)

    def test_parity_takes_each_file_for_a_language(self, tmp_path):
        for name, text in (("zh", "改变世界，改变世界"), ("en", "change the world")):
            (tmp_path / name).write_text(text, encoding="utf-8")
        files, output = [str(tmp_path / name) for name in ("zh", "en")], tmp_path / "mine.json"
        said = run(*files, "--merges", "8", "--parity", "0", "-o", str(output))
        assert said["merges_chosen_by"] == {files[0]: 7, files[1]: 1}
        alone = CliRunner().invoke(train, [files[0], "--parity", "0", "-o", str(output)])
        assert "two files or folders at least" in alone.output

    @pytest.mark.parametrize(
        ("options", "option"),
        [
            (("--superwords", "0.5", "--parity", "0"), "--parity and --superwords"),
            (("--superwords", "0.5", "--start", "gpt2"), "--superwords and --start"),
            (("--parity", "0", "--algorithm", "wordpiece"), "--parity and --algorithm"),
        ],
    )
    def test_what_does_not_go_together_is_refused(self, tmp_path, options, option):
        output = str(tmp_path / "mine.json")
        said = CliRunner().invoke(train, ["a", *options, "--merges", "9", "-o", output])
        assert said.exit_code == 2
        assert f"{option} cannot go together" in said.output


class TestManyFiles:
    def test_an_empty_file_is_left_out_of_several(self, tmp_path):
        (tmp_path / "a.txt").write_text("low lower", "utf-8")
        (tmp_path / "__init__.py").write_bytes(b"")
        output = tmp_path / "mine.json"
        assert run(str(tmp_path), "--merges", "1", "-o", str(output))["merges"] == 1

    @pytest.mark.parametrize(
        ("content", "message"),
        [(b"", "All these files are empty."), (b"%PDF-1.4 ", "b.txt: This is a PDF file")],
    )
    def test_what_cannot_be_read_is_named(self, tmp_path, content, message):
        for name in ("a.txt", "b.txt"):
            (tmp_path / name).write_bytes(content if name == "b.txt" else content and b"low")
        done = CliRunner().invoke(train, [str(tmp_path), "-o", str(tmp_path / "mine.json")])
        assert done.exit_code == 2
        assert message in done.output

    @pytest.mark.parametrize(
        ("options", "reason"),
        [((), "no pair is left"), (("--min-frequency", "2"), "no pair occurs 2 times")],
    )
    def test_why_it_ended_is_said_in_words(self, tmp_path, options, reason):
        given = ["-", "-o", str(tmp_path / "mine.json"), *options]
        done = CliRunner().invoke(train, given, input="low lower")
        assert f"stop reason: {reason}\n" in done.output
