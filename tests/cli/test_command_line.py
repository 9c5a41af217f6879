"""The command line, as another program calls it."""

import io
import json
import signal
import subprocess
import sys
from functools import partial
from itertools import chain
from pathlib import Path

import click
import pytest

import bpe
from bpe import compiled
from bpe.cli import COMMANDS, cli, count, encode, verify
from bpe.documents.reader import File
from bpe.encoders import cached_tables, catalog
from tests.cli.running import ROOT, run, said


@pytest.fixture
def corpus(tmp_path) -> Path:
    path = tmp_path / "corpus.txt"
    path.write_text("看路，看天。看路灯。low lower lowest", encoding="utf-8")
    return path


def test_an_empty_text_is_no_folder():
    assert said("encode", "")["ids"] == []
    assert run("count", "-t", "gpt2", "").output.split() == ["gpt2", "0"]
    assert "There is no file" in run("count", "-i", "", code=2).errors


def test_a_link_to_nothing_is_no_text(tmp_path):
    link = tmp_path / "link"
    link.symlink_to("nothing")
    assert "No such file" in run("count", "-t", "gpt2", link, code=2).errors


@pytest.mark.parametrize("algorithm", ["wordpiece", "sentencepiece-bpe", "unigram"])
def test_a_relative_is_trained_and_saved(corpus, tmp_path, algorithm):
    output = tmp_path / "mine.json"
    sizes = ("--vocab-size", "40", "--unknown", "<unk>", "--output", output)
    trained = said("train", corpus, "--algorithm", algorithm, *sizes)
    assert trained["vocabulary_size"] <= 40
    ids = said("encode", "-t", output, "low 看路")["ids"]
    assert run("decode", "-t", output, *ids).output == "low 看路"


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        ("encode --truncate 0 你好", "\n"),
        ("encode <|endoftext|>", "27 91 419 1440 919 91 29\n"),  # text unless it is allowed
        ("encode --text README.md", "135252 44190\n"),  # whatever it looks like
        ("count -t gpt-5 -i -", "o200k_base           3\n"),
        ("count -t o200k_base -", "o200k_base           3\n"),
        ("count -t gpt-4o -t gpt-4o-mini -", "o200k_base           3\n"),  # one encoding, once
        ("--version", f"bpe {bpe.__version__}\n"),
    ],
)
def test_what_is_printed(arguments, printed):
    assert run(*arguments.split(), stdin="你好，世界").output == printed


def test_every_encoding_counts_by_default():
    assert len(run("count", stdin="你好").output.splitlines()) == len(catalog.encodings())


def test_several_tokenizers_count_a_long_text_part_by_part(monkeypatch):
    monkeypatch.setattr(count, "_AT_ONCE", 50)
    text = "看路，看天。看路灯。low lower lowest 12345\n\n" * 500
    names = ["gpt2", "gemma3", "o200k_base"]
    counted = said("count", *chain(*(("-t", name) for name in names)), stdin=text)
    assert counted["tokens"] == {name: catalog.encoding(name).count(text) for name in names}


def test_count_speaks_json():
    counted = said("count", "你好，世界", "-t", "o200k_base", "-t", "qwen3")
    tokens = {
        name: len(catalog.encoding(name).encode("你好，世界")) for name in ("o200k_base", "qwen3")
    }
    sums = {"characters": 5, "bytes": 15, "tokens": tokens}
    assert counted.pop("read")["documents"] == 1
    assert counted == {
        **sums,
        "count": {"o200k_base": "exact", "qwen3": "exact"},
        "files": [{"name": "text", **sums}],
        "total": {"name": "total", **sums},
    }


def test_one_model_is_as_certain_in_every_command():
    """The vocabulary of Gemini is assumed; of Claude there is none, only an estimate."""
    model = "gemini-2.5-pro"
    counted = run("count", "hi", "-t", model, "--json")
    assert json.loads(counted.output)["count"] == {"gemma3": "assumed"}
    assert "gemini-2.5-pro ≈ gemma3: Google's own local tokenizer" in counted.errors
    assert said("models", model)["models"][0]["count"] == "assumed"
    assert "≈ gemma3" in run("models", model).output
    assert said("cost", "hi", "-m", model)["models"][0]["count"] == "assumed"
    refused = run("count", "hi", "-t", "claude-sonnet-5-5", code=2)
    assert "`bpe cost -m claude-sonnet-5-5` estimates its tokens" in refused.errors


def test_rows_are_read_by_every_command_that_encodes(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("title,body\nx,你好\ny,low lower\nz,\n", encoding="utf-8")
    encoder = catalog.encoding("gpt2")
    bodies = [encoder.encode(text) for text in ("你好", "low lower")]
    counted = said("count", "-t", "gpt2", path)
    assert counted["tokens"] == {"gpt2": sum(map(len, bodies))}
    assert counted["read"]["columns"] == {str(path): "body"}
    encoded = said("encode", "-t", "gpt2", path)
    borders = [(each["start"], each["end"]) for each in encoded["documents"]]
    assert [encoded["ids"][start:end] for start, end in borders] == bodies
    lines = run("encode", "-t", "gpt2", "--jsonl", path).output.splitlines()
    assert [json.loads(line)["ids"] for line in lines] == bodies
    each = list(map(json.loads, run("count", "-t", "gpt2", "--jsonl", path).output.splitlines()))
    assert [row["tokens"]["gpt2"] for row in each] == list(map(len, bodies))
    assert [row["document"] for row in each] == [1, 2]
    most = len(bodies[0]) - 1
    asked = ("-t", "gpt2", "-t", "o200k_base", "--jsonl", "--max", most)
    assert f"More than {most} tokens: {path}:1\n" in run("count", *asked, path, code=1).errors
    assert run("encode", "-t", "gpt2", "--per-line", path).output == "".join(
        " ".join(map(str, ids)) + "\n" for ids in bodies
    )
    titles = said("count", "-t", "gpt2", "--column", "title", path)
    assert titles["characters"] == 3
    priced = said("cost", "-m", "gpt-5", path)
    assert priced["read"]["documents"] == 2
    assert "column “body” guessed" in run("count", "-t", "gpt2", path).errors
    assert run("count", "-t", "gpt2", "-q", path).errors == ""


def test_count_tells_two_tokenizers_of_one_name_apart(corpus, tmp_path):
    paths = [str(tmp_path / f"{merges}" / "tokenizer.json") for merges in (1, 2)]
    for merges, path in enumerate(paths, start=1):
        Path(path).parent.mkdir()
        run("train", corpus, "--merges", merges, "-o", path)
    given = ["-t", paths[0], "-t", paths[1], "-t", "gpt2", "--text", "看路"]
    assert said("count", *given)["tokens"] == {paths[0]: 5, paths[1]: 4, "gpt2": 5}
    assert [line.split()[-1] for line in run("count", *given).output.splitlines()] == list("545")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["encode", "-t", "gpt-99", "x"], "neither a file nor an encoding"),
        (["encode", "-t", "cl100k_bse", "x"], "Did you mean cl100k_base"),
        (["encode", "-t", "gpt4o", "x"], "Did you mean gpt-4o"),
        (["trian", "x"], "Did you mean 'train'?"),
        (["count", "corpus.txt"], "There is no file “corpus.txt”"),
        (["count", "-i", "corpus"], "There is no file “corpus”"),
        (["count", "*.none"], "There is no file “*.none”"),
        (["count", "--charset", "gb99"], "There is no text encoding “gb99”"),
        (["count", "--charset", "rot13"], "There is no text encoding “rot13”"),
        (["count", "--charset", "undefined"], "There is no text encoding “undefined”"),
        (["models", "unheard-of"], "No model fits “unheard-of”"),
        (["models", "ernie"], "No dated source of the price and the vocabulary of “ernie” (Baidu)"),
        (["encode", "--per-line", "--truncate", "1"], "--per-line does not go with --truncate"),
        (["encode", "--jsonl", "--json"], "--jsonl does not go with --json"),
        (["decode", "-i", "LICENSE"], "whole numbers"),
        (["decode", "99999999"], "no token id 99999999"),
        (["decode"], "whole numbers"),
        (["decode", "--per-line", "1", "2"], "--per-line reads files"),
        (["decode", "--per-line", "--json"], "prints no JSON"),
        (["count", "--messages", "LICENSE", "-m", "gpt-4o", "LICENSE"], "name no other text"),
        (["train", "missing.txt", "-o", "x.json"], "There is no file “missing.txt”"),
        (["train", "README.md", "-o", "x.json", "--vocab-size", "9"], "too small"),
        (["train", "README.md", "-o", "x.json", "--normalisation", "loud"], "no normalisation"),
    ],
)
def test_bad_input_is_one_sentence_and_code_2(arguments, message):
    failed = run(*arguments, stdin="words", code=2)
    assert message in failed.errors
    assert "Traceback" not in failed.errors


TEXTS = [
    "你好，世界",
    "one\r\ntwo\r\n",
    "\ufeffmarked",
    " 　\n\n",
    "",
    "龘靐 e\u0301 👩‍👩‍👧 <|endoftext|>",
]


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_encoded_is_decoded_byte_for_byte(text):
    encoded = run("encode", stdin=text).output
    assert run("decode", stdin=encoded).raw == text.encode()


def test_ids_may_stand_apart_by_commas_and_brackets():
    assert run("decode", stdin="[177519, 24912]").output == "你好hello"


def test_the_first_ids_are_decoded_before_the_rest_is_read(monkeypatch):
    monkeypatch.setattr(encode, "BLOCK", 100)
    data = " ".join(map(str, range(1000))).encode()
    read = []
    blocks = encode._blocks(File("ids", len(data), lambda: io.BytesIO(data)), read.append)
    assert next(blocks)[:3] == [0, 1, 2]
    assert sum(read) == 100
    assert max(map(len, blocks)) <= 50
    assert sum(read) == len(data)


def test_each_line_may_be_a_text_of_its_own(tmp_path):
    path = tmp_path / "lines.txt"
    path.write_bytes("low lower\n\n你好\r\nlow".encode())
    encoded = run("encode", "--per-line", path)
    encoding = catalog.encoding("o200k_base")
    lines = ["low lower", "", "你好\r", "low"]
    assert [list(map(int, line.split())) for line in encoded.output.splitlines()] == list(
        map(encoding.encode, lines)
    )
    assert run("decode", "--per-line", stdin=encoded.output).raw == path.read_bytes() + b"\n"
    ids = list(map(encoding.encode, lines))
    one = said("encode", "--per-line", path, "low\nlow")
    cut = [one["ids"][each["start"] : each["end"]] for each in one["documents"]]
    assert cut == [*ids, ids[3], ids[3]]
    rows = list(map(json.loads, run("encode", "--per-line", "--jsonl", path).output.splitlines()))
    assert rows == [
        {"name": str(path), "document": number, "ids": each} for number, each in enumerate(ids, 1)
    ]
    assert one.keys() == said("encode", path).keys()
    assert said("encode", "--per-line", "--pieces", path)["pieces"][:2] == ["low", "·lower"]


def test_counts_stand_under_each_other_behind_chinese_names(tmp_path):
    for name in ("笔记.md", "a.md"):
        (tmp_path / name).write_text("low", "utf-8")
    assert run("count", "笔记.md", "a.md", cwd=tmp_path).output.splitlines() == [
        "file     o200k_base",
        "笔记.md           1",
        "a.md              1",
        "total             2",
    ]


def test_folders_have_their_text_files_and_patterns_what_fits(tmp_path):
    (tmp_path / "sub").mkdir()
    for name in ("a.txt", "b.py", "sub/c.md", ".hidden", "sub/picture"):
        (tmp_path / name).write_bytes(b"\0" if "picture" in name else b"low low")
    names = [str(tmp_path / name) for name in ("a.txt", "b.py", "sub/c.md")]
    counted = said("count", tmp_path)
    assert [file["name"] for file in counted["files"]] == names
    counted = said("count", tmp_path / "**/*.[tm]*")
    assert [file["name"] for file in counted["files"]] == [names[0], names[2]]


def test_a_rank_file_is_not_read_with_a_guessed_pattern(corpus, tmp_path):
    output = tmp_path / "mine.tiktoken"
    run("train", corpus, "--vocab-size", "260", "-o", output, "--format", "tiktoken")
    assert "--pattern" in run("encode", "-t", output, "x1", code=2).errors
    assert run("encode", "-t", output, "--pattern", "gpt2", "x1").output == "120 49\n"


def test_encodings_and_models_are_listed():
    assert run("encodings").output.split()[:2] == ["o200k_base", "200,019"]
    listed = said("models", "deepseek/", "pro")["models"]
    assert [(model["id"], model["encoding"]) for model in listed] == [
        ("deepseek/deepseek-v4-pro", "deepseek_v4")
    ]


def test_warm_compiles_or_says_why_it_cannot(monkeypatch):
    assert run("warm").output == "The kernels are ready, and cached for the next time.\n"
    assert run("warm", "-t", "gpt2").output.endswith("So are the tables of gpt2.\n")
    assert cached_tables.facts("gpt2") is not None
    monkeypatch.setattr(compiled, "ready", lambda part=None: False)
    monkeypatch.setattr(compiled, "warm", lambda background: None)
    assert "Is Numba installed?" in run("warm", code=2).errors


@pytest.mark.parametrize("command", list(COMMANDS))
def test_every_command_has_examples_and_every_option_has_help(command):
    helped = cli.get_command(click.Context(cli), command)
    assert f"bpe {command}" in helped.help
    assert [p.name for p in helped.params if isinstance(p, click.Option) and not p.help] == []


def test_a_reader_that_ends_early_is_no_error():
    command = f"{sys.executable} -m bpe encode -i docs/performance.md | head -c 10"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=ROOT)
    assert (len(done.stdout), done.stderr) == (10, "")


def test_control_c_ends_a_command_at_once_and_with_130():
    command = [sys.executable, "-m", "bpe", "encode", "--per-line"]
    pipe = subprocess.PIPE
    stops = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # of the tests, nothing may
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=ROOT, preexec_fn=stops
    ) as process:
        process.stdin.write(b"low lower lowest\n" * 17_000)  # and no end: it waits for more
        process.stdin.flush()
        assert process.stdout.read(1)
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        assert b"Traceback" not in process.stderr.read()


def test_control_c_in_the_middle_of_a_lock_is_control_c():
    code = """if True:
        import bpe.cli

        def interrupted(**options):
            try:
                raise KeyboardInterrupt
            finally:
                raise RuntimeError("release unlocked lock")

        bpe.cli.cli.main = interrupted
        bpe.cli.main()
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stderr) == (130, b"")


def _wrong(encoder, _name, _folder):
    return encoder.encode_ordinary, lambda text: [*encoder.encode_ordinary(text), 0], "ours"


def test_our_ids_are_held_against_what_is_installed(tmp_path, monkeypatch):
    bpe.save(bpe.encoding("mistral_v1"), tmp_path / "t.model")
    bpe.save(bpe.encoding("gpt2"), tmp_path / "tokenizer.json")
    bpe.save(bpe.train(["low lower"], bpe.Recipe(merges=5)), tmp_path / "own.json", format="bpe")
    files = ("-t", tmp_path / "t.model", "-t", tmp_path / "tokenizer.json", "-t", "gpt-4",
             "-t", tmp_path / "own.json")  # fmt: skip
    found = said("verify", *files, "--strings", "99")
    assert sorted(row["engine"] for row in found["rows"]) == [
        "sentencepiece", "tiktoken", "tokenizers", "tokenizers", "tokenizers"
    ]  # fmt: skip
    assert all(row["strings"] > 99 and row["ids"] > 9_000 for row in found["rows"])
    assert (found["differ"], found["ids"] > 99_000) == (0, True)
    assert "cl100k_base" in {row["vocabulary"] for row in found["rows"]}  # that of the model

    monkeypatch.setitem(sys.modules, "tokenizers", None)
    monkeypatch.setitem(verify._ENGINES, "tiktoken", _wrong)
    output = run("verify", "-t", "gpt2", "--strings", "9", code=1).output
    assert [line.split()[:2] for line in output.splitlines()[1:3]] == [
        ["gpt2", "tiktoken"], ["gpt2", "tokenizers"]
    ]  # fmt: skip
    assert "import of tokenizers halted" in output
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    output = run("verify", "-t", tmp_path / "t.model", "--seconds", "0", code=1).output
    assert "no time was left; --seconds gives more" in output
    assert output.endswith("0 ids of 0 strings compared: 0 differ.\n")
