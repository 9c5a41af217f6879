"""``bpe convert``, ``split``, ``diff`` and the limit of ``count``."""

import json

import pytest
import tokenizers
from click.testing import CliRunner

import bpe
from bpe.cli import cli
from bpe.documents import samples


def run(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == code, result.output
    return result.stdout


@pytest.fixture
def own(tmp_path):
    recipe = bpe.Recipe(merges=50, special_tokens=("<s>", "</s>"))
    path = tmp_path / "mine.json"
    bpe.save(bpe.train([samples.corpus("zh")[:2000]], recipe), path)
    return path


class TestConvert:
    def test_ids_stay_in_every_format(self, own, tmp_path):
        text = "看路灯，low"
        ids = bpe.load(own).encode(text)
        for kind, name in (("huggingface", "tokenizer.json"), ("gpt2", "gpt2"), ("bpe", "x.json")):
            run("convert", str(own), str(tmp_path / name), "--to", kind)
            assert bpe.load(tmp_path / name).encode(text) == ids

    def test_a_published_encoding_has_its_ids_in_hugging_face(self, tmp_path):
        said = run("convert", "gpt-3.5-turbo", str(tmp_path / "tokenizer.json"), "--json")
        assert json.loads(said)["format"] == "huggingface"
        theirs = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
        text = samples.corpus("en")[:500]
        assert theirs.encode(text).ids == bpe.encoding("cl100k_base").encode(text)

    def test_the_suffix_says_the_format(self, tmp_path):
        names = {"gpt2": ("mine.tiktoken", "tiktoken"), "llama2": ("mine.model", "sentencepiece")}
        for source, (name, kind) in names.items():
            for _again in range(2):
                said = run("convert", source, str(tmp_path / name), "--json")
                assert json.loads(said)["format"] == kind
            assert (tmp_path / name).is_file()
        run("convert", "llama2", str(tmp_path / "llama2.tiktoken"), code=1)

    def test_a_dash_is_standard_output_and_a_pipe_is_written_to(self, own, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        said = run("convert", str(own), "-", "--to", "huggingface")
        assert tokenizers.Tokenizer.from_str(said).encode("low").ids == bpe.load(own).encode("low")
        run("convert", str(own), "-", "--to", "gpt2", code=2)
        run("convert", str(own), "-", "--to", "huggingface", "--pad", "</s>", code=2)
        run("convert", str(own), "/dev/null", "--to", "huggingface")
        assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.json"]

    def test_a_folder_for_transformers_may_have_a_full_stop_in_its_name(self, own, tmp_path):
        for _again in range(2):
            run("convert", str(own), str(tmp_path / "mine2.5"), "--to", "huggingface")
        files = sorted(path.name for path in (tmp_path / "mine2.5").iterdir())
        assert files == ["tokenizer.json", "tokenizer_config.json"]

    def test_roles_and_template_stand_in_the_configuration(self, own, tmp_path):
        template = tmp_path / "chat.jinja"
        template.write_text("{{ messages }}")
        folder = tmp_path / "hf"
        options = ("--to", "huggingface", "--eos", "</s>", "--pad", "</s>")
        run("convert", str(own), str(folder), *options, "--chat-template", str(template))
        config = json.loads((folder / "tokenizer_config.json").read_text("utf-8"))
        assert config["eos_token"] == config["pad_token"] == "</s>"
        assert config["additional_special_tokens"] == ["<s>"]
        assert config["chat_template"] == "{{ messages }}"

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (("--eos", "low"), "“low” is not a special token of trained"),
            (("--to", "tiktoken", "--eos", "</s>"), "for a folder, or a file tokenizer.json"),
        ],
    )
    def test_what_cannot_be_written_is_refused(self, own, tmp_path, options, message):
        result = CliRunner().invoke(cli, ["convert", str(own), str(tmp_path / "hf"), *options])
        arguments = [*options] if "--to" in options else ["--to", "huggingface", *options]
        result = CliRunner().invoke(cli, ["convert", str(own), str(tmp_path / "hf"), *arguments])
        assert message in str(result.exception)


@pytest.mark.parametrize(
    ("name", "options", "kind"),
    [
        ("tokenizer.json", (), "huggingface"),
        ("mine.json", (), "bpe"),
        ("tokenizer.json", ("--format", "bpe"), "bpe"),
        ("pieces.json", ("--algorithm", "wordpiece"), "huggingface"),
    ],
)
def test_training_says_and_writes_the_format_that_the_name_asks_for(tmp_path, name, options, kind):
    corpus, output = tmp_path / "a.txt", tmp_path / name
    corpus.write_text("low lower lowest " * 9)
    said = run("train", str(corpus), "--vocab-size", "300", "-o", str(output), *options, "--json")
    assert json.loads(said)["format"] == kind
    assert ("model" in json.loads(output.read_text("utf-8"))) == (kind == "huggingface")


def test_too_many_tokens_end_with_one(tmp_path):
    short, long = tmp_path / "short.txt", tmp_path / "long.txt"
    short.write_text("low")
    long.write_text("low lower " * 20)
    run("count", "-t", "gpt2", "--max", "40", str(short))
    result = CliRunner().invoke(cli, ["count", "-t", "gpt2", "--max", "40", str(short), str(long)])
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1] == f"More than 40 tokens: {long}"


def test_pieces_are_lines_of_json(tmp_path):
    path = tmp_path / "book.txt"
    path.write_text("One. Two. Three. Four.")
    lines = run("split", "--max", "5", "-t", "gpt2", str(path), "-q").splitlines()
    pieces = [json.loads(line) for line in lines]
    assert "".join(piece["text"] for piece in pieces) == "One. Two. Three. Four."
    assert all(piece["tokens"] <= 5 for piece in pieces)
    assert {piece["document"] for piece in pieces} == {1}


def test_a_change_of_tokenizer_is_measured_and_can_fail(tmp_path):
    rows = tmp_path / "rows.jsonl"
    texts = ["你好，世界", "low lower lowest", ""]
    rows.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    said = json.loads(run("diff", "cl100k_base", "o200k_base", str(rows), "--json"))
    old, new = (bpe.encoding(name) for name in ("cl100k_base", "o200k_base"))
    assert said["old"]["tokens"] == sum(map(old.count, texts))
    assert said["new"]["tokens"] == sum(map(new.count, texts))
    assert said["documents"] == 2
    assert said["worst"][0]["document"] == 2
    run("diff", "cl100k_base", "o200k_base", str(rows), "--fail-above", "0%")
    priced = ["-m", "gpt-4-turbo", "-m", "gpt-4o"]
    money = json.loads(run("diff", "cl100k_base", "o200k_base", str(rows), *priced, "--json"))
    for tokens, dollars, found in zip(("old", "new"), (10, 2.5), money["money"], strict=True):
        assert float(found["total"]) == pytest.approx(said[tokens]["tokens"] * dollars / 1e6)
    run("diff", "cl100k_base", "o200k_base", str(rows), *priced, "-m", "gpt-4o", code=2)
    assert "out of date" in run(
        "diff", "cl100k_base", "o200k_base", str(rows), "-m", "deepseek-chat"
    )
    run("diff", "o200k_base", "cl100k_base", str(rows), "--fail-above", "2%", code=1)
