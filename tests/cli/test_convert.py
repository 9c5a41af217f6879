"""``bpe convert``, ``split`` and the limit of ``count``."""

import json

import pytest
import tokenizers

import bpe
from bpe.documents import samples
from tests.cli.running import run, said


@pytest.fixture
def own(tmp_path):
    recipe = bpe.Recipe(merges=50, special_tokens=("<s>", "</s>"))
    path = tmp_path / "mine.json"
    bpe.save(bpe.train([samples.corpus("zh")[:2000]], recipe), path)
    return path


class TestConvert:
    def test_the_suffix_says_the_format(self, tmp_path):
        names = {"gpt2": ("mine.tiktoken", "tiktoken"), "llama2": ("mine.model", "sentencepiece")}
        for source, (name, kind) in names.items():
            for _again in range(2):
                assert said("convert", source, tmp_path / name)["format"] == kind
            assert (tmp_path / name).is_file()
        run("convert", "llama2", tmp_path / "llama2.tiktoken", code=2)

    def test_a_dash_is_standard_output_and_a_pipe_is_written_to(self, own, tmp_path):
        written = run("convert", own, "-", "--to", "huggingface", cwd=tmp_path).output
        theirs = tokenizers.Tokenizer.from_str(written)
        assert theirs.encode("low").ids == bpe.load(own).encode("low")
        run("convert", own, "-", "--to", "gpt2", code=2, cwd=tmp_path)
        run("convert", own, "-", "--to", "huggingface", "--pad", "</s>", code=2, cwd=tmp_path)
        run("convert", own, "/dev/null", "--to", "huggingface", cwd=tmp_path)
        assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.json"]

    def test_a_folder_for_transformers_may_have_a_full_stop_in_its_name(self, own, tmp_path):
        for _again in range(2):
            run("convert", own, tmp_path / "mine2.5", "--to", "huggingface")
        files = sorted(path.name for path in (tmp_path / "mine2.5").iterdir())
        assert files == ["tokenizer.json", "tokenizer_config.json"]

    def test_roles_stand_in_the_configuration(self, own, tmp_path):
        folder = tmp_path / "hf"
        options = ("--to", "huggingface", "--eos", "</s>", "--pad", "</s>")
        run("convert", own, folder, *options)
        config = json.loads((folder / "tokenizer_config.json").read_text("utf-8"))
        assert config["eos_token"] == config["pad_token"] == "</s>"
        assert config["additional_special_tokens"] == ["<s>"]

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (("--eos", "low"), "“low” is not a special token of trained"),
            (("--to", "tiktoken", "--eos", "</s>"), "for a folder, or a file tokenizer.json"),
        ],
    )
    def test_what_cannot_be_written_is_refused(self, own, tmp_path, options, message):
        arguments = [*options] if "--to" in options else ["--to", "huggingface", *options]
        assert message in run("convert", own, tmp_path / "hf", *arguments, code=2).errors


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
    asked = ("--vocab-size", "300", "-o", output, *options)
    assert said("train", corpus, *asked)["format"] == kind
    assert ("model" in json.loads(output.read_text("utf-8"))) == (kind == "huggingface")
