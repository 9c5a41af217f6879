"""``bpe train``: large files in parts, and going on from a tokenizer that is there."""

import json

import pytest

import bpe
from bpe.cli import recipes
from bpe.cli.input import inputs_of
from bpe.documents import reader, samples
from bpe.text.cuts import between_pre_tokens
from tests.cli.running import run, said


def trained(*arguments: object, stdin: bytes = b"") -> dict[str, object]:
    return said("train", *arguments, stdin=stdin)


@pytest.fixture
def small_parts(monkeypatch):
    """Take everything for large, and cut it into small parts."""
    monkeypatch.setattr(reader, "_HEAD", 900)
    monkeypatch.setattr(reader, "BLOCK", 500)
    monkeypatch.setattr(recipes, "PART", 700)


CHINESE = samples.corpus("zh")
ASK = {"utf-8": (), "utf-8-sig": (), "utf-16": (), "gb18030": ("--charset", "guess")}


class TestLargeFiles:
    @pytest.mark.usefixtures("small_parts")
    @pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
    def test_a_file_in_parts_gives_the_merges_of_the_whole(self, tmp_path, charset):
        path, output = tmp_path / "corpus.txt", tmp_path / "mine.json"
        path.write_bytes(CHINESE.encode(charset))
        expected = bpe.train([CHINESE], bpe.Recipe(merges=144)).merges
        for source, stdin in ((path, b""), ("-", path.read_bytes())):
            trained(source, *ASK[charset], "--vocab-size", "400", "-o", output, stdin=stdin)
            assert bpe.load(output).merges == expected

    def test_it_is_read_a_part_at_a_time(self, tmp_path, monkeypatch):
        monkeypatch.setattr(recipes, "PART", 1000)
        path = tmp_path / "corpus.txt"
        path.write_text("low lower\n" * 500_000)
        texts = recipes.InputTexts(inputs_of(files=[str(path)]), between_pre_tokens("gpt2"))
        assert len(next(iter(texts))) < 2_000_000
        assert 0 < texts.share() < 0.6


class TestStart:
    def test_new_tokens_follow_the_old_ones(self, tmp_path):
        output = tmp_path / "tokenizer.json"
        facts = trained(
            *("-", "--start", "gpt2", "--merges", "20", "--min-frequency", "2"),
            *("-o", output),
            stdin=CHINESE.encode(),
        )
        assert facts["new_ids"] == [50257, 50276]
        assert facts["start"] == "gpt2"
        recipe = bpe.Recipe(merges=20, min_frequency=2)
        own = bpe.train([CHINESE], recipe, start=bpe.encoding("gpt2"))
        assert bpe.load(output).encode(CHINESE) == own.encode(CHINESE)

    def test_the_number_of_merges_has_to_be_said(self, tmp_path):
        arguments = ("-", "--start", "gpt2", "-o", tmp_path / "x.json")
        assert "say how many --merges" in run("train", *arguments, stdin="low", code=2).errors


class TestRecipesOfPapers:
    @pytest.mark.parametrize(
        ("options", "option"),
        [
            (("--algorithm", "superwords", "--start", "gpt2"), "Only byte-level BPE can extend"),
            (("--algorithm", "wordpiece", "--share", "0"), "of superwords and of parity alone"),
            (("--algorithm", "parity"), "takes the texts of each language, of two at least"),
        ],
    )
    def test_what_does_not_go_together_is_refused(self, tmp_path, options, option):
        path = tmp_path / "a.txt"
        path.write_text("low")
        output = tmp_path / "mine.json"
        refused = run("train", path, *options, "--merges", "9", "-o", output, code=2)
        assert option in refused.errors


class TestManyFiles:
    def test_an_empty_file_is_left_out_of_several(self, tmp_path):
        (tmp_path / "a.txt").write_text("low lower", "utf-8")
        (tmp_path / "__init__.py").write_bytes(b"")
        output = tmp_path / "mine.json"
        assert trained(tmp_path, "--merges", "1", "-o", output)["merges"] == 1

    @pytest.mark.parametrize(
        ("content", "message"),
        [(b"", "There is no text in "), (b"%PDF-1.4 ", "b.txt: This is a PDF file")],
    )
    def test_what_cannot_be_read_is_named(self, tmp_path, content, message):
        for name in ("a.txt", "b.txt"):
            (tmp_path / name).write_bytes(content if name == "b.txt" else content and b"low")
        assert message in run("train", tmp_path, "-o", tmp_path / "mine.json", code=2).errors

    @pytest.mark.parametrize(
        ("options", "reason"),
        [((), "no pair is left"), (("--min-frequency", "2"), "no pair occurs 2 times")],
    )
    def test_why_it_ended_is_said_in_words(self, tmp_path, options, reason):
        given = ("-", "-o", tmp_path / "mine.json", *options)
        assert f"stop reason: {reason}\n" in run("train", *given, stdin="low lower").output


class TestWhatIsRead:
    def test_another_charset_is_asked_for_or_an_error(self, tmp_path):
        path = tmp_path / "latin.txt"
        path.write_bytes(("café crème naïve déjà vu " * 20).encode("latin-1"))
        arguments = [path, "--merges", "5", "-o", tmp_path / "x.json"]
        assert "is not UTF-8" in run("train", *arguments, code=2).errors
        guessed = run("train", *arguments, "--charset", "guess")
        assert "; charset “cp" in guessed.errors
        assert trained(*arguments, "--charset", "latin-1")["read"]["charsets"] == {}

    def test_files_rows_columns_and_what_was_left_out_are_said(self, tmp_path):
        folder = tmp_path / "texts"
        folder.mkdir()
        (folder / "a.md").write_text("low lower")
        (folder / "b.csv").write_text("title,body\nx,lowest of all\ny,\n")
        (folder / "c.bin").write_bytes(b"\0\1")
        arguments = [str(folder), "--merges", "5", "-o", tmp_path / "x.json"]
        read = trained(*arguments)["read"]
        table = str(folder / "b.csv")
        assert read == {
            "files": 2, "documents": 2, "characters": 22, "rows_without_text": 1,
            "files_left_out": [str(folder / "c.bin")], "columns": {table: "body"},
            "unread": {table: ["title"]}, "headings": {table: True}, "charsets": {}, "left_out": {},
        }  # fmt: skip
        errors = run("train", *arguments).errors
        assert "read 2 files: 2 documents, 22 characters" in errors
        assert f"{table}: column “body” guessed; not read: “title”; the first row names" in errors
        assert "1 row without text left out; no text, left out: " in errors
        assert run("train", *arguments, "--quiet").errors == ""

    def test_the_first_documents_only(self, tmp_path):
        path = tmp_path / "a.jsonl"
        path.write_text('"low"\n"lower"\n"lowest"\n')
        read = trained(path, "--limit", "2", "--merges", "2", "-o", tmp_path / "x.json")
        assert read["read"]["documents"] == 2


def test_a_hyphen_writes_to_standard_output(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("low lower")
    done = run("train", path, "--merges", "2", "-o", "-")
    assert json.loads(done.output)["merges"]
    assert "output: -" in done.errors
