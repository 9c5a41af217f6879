"""The code of the algorithm as it is shown beside a picture: functions as plain source, one script.

What is shown is the source of the functions that the tests hold everything else to, without their
types and docstrings. A script of them runs by itself.
"""

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from textwrap import dedent
from typing import Any

from bpe.algorithm import basic
from bpe.algorithm.basic import TieBreak, best_pair, count_pairs, encode, merge_pair, train


def train_characters(
    words: Mapping[str, int],
    merges: int,
    tie_break: TieBreak = "first-seen",
    end: Sequence[str] = ("</w>",),
    prune: bool = True,
) -> Iterator[tuple[str, str, int, int]]:
    """Make ``merges`` merges of characters; yield of each both symbols, their count, and the size
    of the vocabulary, which a symbol leaves that no longer stands alone.

    >>> list(train_characters({"low": 5, "lower": 2}, 2))
    [('l', 'o', 7, 5), ('lo', 'w', 7, 4)]
    """
    rows = [([*word, *end], count) for word, count in words.items()]
    vocabulary = {symbol for symbols, _ in rows for symbol in symbols}
    while merges and (counts := count_pairs(rows)):
        left, right = pair = best_pair(counts, tie_break, str)
        vocabulary.add(left + right)
        rows = [(merge_pair(symbols, pair, left + right), count) for symbols, count in rows]
        if prune:
            vocabulary -= {left, right} - {part for symbols, _ in rows for part in symbols}
        merges -= 1
        yield left, right, counts[pair], len(vocabulary)


def source(function: Callable[..., Any]) -> str:
    """Return the source of a function without its docstring and types, line by line as it is.

    >>> print(source(count_pairs))
    def count_pairs(words):
        counts = {}
        for symbols, count in words:
            for pair in pairwise(symbols):
                counts[pair] = counts.get(pair, 0) + count
        return counts
    """
    text = dedent(inspect.getsource(function))
    tree = ast.parse(text).body[0]
    assert isinstance(tree, ast.FunctionDef)
    lines = text.splitlines()
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign):
            line = lines[node.lineno - 1]
            rest = line[node.annotation.end_col_offset :]
            lines[node.lineno - 1] = line[: node.target.end_col_offset] + rest
    for argument in (*tree.args.args, *tree.args.kwonlyargs):
        argument.annotation = None
    tree.returns = None
    body = tree.body[1] if ast.get_docstring(tree) else tree.body[0]
    tree.body = [ast.Pass()]
    return "\n".join([ast.unparse(tree).splitlines()[0], *lines[body.lineno - 1 :]])


def script(main: Callable[..., Any], run: str) -> str:
    """Return ``run`` with all that it needs of the definition: ``main`` and what that calls."""
    head = next(line for line in inspect.getsource(basic).splitlines() if "PRINTABLE = " in line)
    functions: tuple[Callable[..., Any], ...] = (main, count_pairs, best_pair, merge_pair)
    parts = ["from itertools import pairwise", head, *map(source, functions), run]
    return "\n\n\n".join(parts) + "\n"


def training_script(
    words: Mapping[str, int], merges: int, tie_break: TieBreak, *, bytes_: bool, **textbook: object
) -> str:
    """Return a script that makes the first merges of ``words`` and prints them.

    They begin as bytes; or as characters, with the options of :func:`train_characters`.
    """
    counted = f"words = {dict(words)!r}\n"
    if bytes_:
        return script(
            train,
            f"{counted}vocabulary = [bytes([byte]) for byte in range(256)]\n"
            "counts = {word.encode(): count for word, count in words.items()}\n"
            f"for left, right, new, count in train(counts, vocabulary, {256 + merges}, "
            f"{tie_break!r}):\n"
            "    print(new, vocabulary[left], vocabulary[right], count)",
        )
    options = "".join(f", {name}={value!r}" for name, value in textbook.items())
    return script(
        train_characters,
        f"{counted}for left, right, count, size in "
        f"train_characters(words, {merges}, {tie_break!r}{options}):\n"
        "    print(left, right, count)",
    )


def encoding_script(symbols: Sequence[bytes], merges: Sequence[tuple[bytes, bytes]]) -> str:
    """Return a script that encodes one pre-token by merges in the order of their ranks."""
    return script(
        encode,
        f"symbols = {list(symbols)!r}\n"
        f"merges = {{pair: pair[0] + pair[1] for pair in {list(merges)!r}}}\n"
        "print(encode(symbols, merges))",
    )


def incremental_script(text: str, merges: int) -> str:
    """Return a script that makes the first merges of a text with this package, fast."""
    return (
        "from bpe.algorithm.incremental import learn\n"
        "from bpe.algorithm.recipe import Recipe\n"
        "from bpe.text.pretokenize import count_words\n\n"
        f"words = count_words([{text!r}], 'gpt2')\n"
        f"for merge in learn(words, Recipe(merges={merges})):\n"
        "    print(merge)\n"
    )
