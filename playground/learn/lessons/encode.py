"""Encoding, replayed: ranks, the lowest first, and two other ways that are taught."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import streamlit as st

from bpe.algorithm.basic import encode
from bpe.algorithm.encoding_steps import (
    RankOf,
    by_rank,
    in_list_order,
    longest_match,
    ranks_of,
    single_bytes,
    token_ranks,
)
from bpe.algorithm.recipe import BYTES
from bpe.analysis.cuts import fewest_tokens, ways_to_cut
from bpe.encoders import catalog
from bpe.encoders.base import Encoder
from bpe.encoders.byte_pair import BytePairEncoder
from bpe.errors import BPEError
from bpe.teaching import code
from bpe.teaching.lessons import LESSONS
from bpe.text.pretokenize import split
from playground import session
from playground.encoding_view import Other, encoding_view
from playground.learn import asking, content, corpora
from playground.learn.asking import Answer, Verdict, not_yet, quoted, solved
from playground.learn.lesson import Lesson
from playground.merge_view import Code
from playground.ui import fields, state
from playground.ui.i18n import _, error_text, plain
from playground.ui.state import Field

LONGEST = 24
_WORD = "unhappiness"
_PRODUCTION = ("gpt2", "cl100k_base", "o200k_base", "deepseek_v3")
_SHORT = 20
"""Characters of an answer to what has more tokens than it needs."""


@dataclass(frozen=True)
class _Ways:
    """How a tokenizer ranks pairs, and its vocabulary."""

    rank_of: RankOf[bytes]
    vocabulary: frozenset[bytes]
    pattern: str = "gpt2"


def draw() -> None:
    asking.bet("encode.second", _answer)
    text, place = asking.text("encode", most=LONGEST)
    with place:
        name = fields.segments(
            _("Tokenizer"),
            {
                "note": _("Of a tutorial"),
                "samples": _("Of our samples"),
                **{code: plain(session.short(code)) for code in (*_PRODUCTION, *_own())},
            },
            key="encode_with",
            default="samples",
        )
        state.uses([name])
        ways = _ways(name)
        pieces = list(split(text, ways.pattern))
        if pieces:
            chosen = 0
            if len(pieces) > 1:
                chosen = st.segmented_control(
                    _("Each pre-token is encoded on its own. Which one?"),
                    range(len(pieces)),
                    format_func=lambda at: pieces[at].replace(" ", "·").replace("\n", "⏎"),
                    default=max(range(len(pieces)), key=lambda at: len(pieces[at])),
                    required=True,
                    key=f"piece {text} {name}",
                )
            _picture(pieces[chosen], ways)
    asking.puzzle("encode.part", _check)
    _other_cuts()
    _decoding()


def _own() -> dict[str, Encoder]:
    return {code: own for code, own in session.own().items() if own.pattern}


def _picture(piece: str, ways: _Ways) -> None:
    start = single_bytes(piece)
    steps = list(by_rank(start, ways.rank_of))
    result = steps[-1].after if steps else tuple(start)
    others = []
    if merges := merges_within(piece, ways):
        listed = list(in_list_order(start, merges))
        symbols = listed[-1].after if listed else tuple(start)
        others.append(_other(_("in list order"), symbols, result))
    if ways.vocabulary:
        symbols = longest(piece, ways.vocabulary)
        others.append(_other(_("longest match"), symbols, result))
    encoding_view(
        piece,
        ways.rank_of,
        key="encode picture",
        others=others,
        cards=content.cards("encode", last=len(steps)),
        code=_code(start, merges, result),
    )


def _code(
    start: Sequence[bytes], merges: Sequence[tuple[bytes, bytes]], result: Sequence[bytes]
) -> Code | None:
    """Return the definition, where its list of merges gives what the ranks of tokens give."""
    if encode(start, {pair: b"".join(pair) for pair in merges}) != list(result):
        return None
    return Code(
        code.source(encode),
        {"row": "while mergeable", "lowest": "pair = min", "tree": "symbols = merge_pair"},
        code.encoding_script(start, merges),
    )


def _other(name: str, symbols: tuple[bytes, ...], result: tuple[bytes, ...]) -> Other:
    verdict = _("the same") if symbols == result else _("not the same")
    return name, [len(symbol) for symbol in symbols], verdict


def longest(text: str, vocabulary: frozenset[bytes]) -> tuple[bytes, ...]:
    """Return the tokens that taking the longest known beginning gives; unknown bytes stay alone."""
    data = text.encode()
    return tuple(
        data[step.start : step.start + 1] if step.token is None else step.token
        for step in longest_match(data, vocabulary)
    )


def merges_within(piece: str, ways: _Ways) -> list[tuple[bytes, bytes]]:
    """Return every merge that could take place in ``piece``, in the order of the ranks.

    Where a tokenizer lists tokens and no merges, a token may come of any two parts of it.
    """
    data = piece.encode()
    spans = ((at, end) for at in range(len(data)) for end in range(at + 2, len(data) + 1))
    tokens = {data[at:end] for at, end in spans} & ways.vocabulary
    pairs = {
        (token[:cut], token[cut:])
        for token in tokens
        for cut in range(1, len(token))
        if token[:cut] in ways.vocabulary and token[cut:] in ways.vocabulary
    }
    ranked = {pair: rank for pair in pairs if (rank := ways.rank_of(*pair)) is not None}
    return sorted(ranked, key=lambda pair: (ranked[pair], pair))


def _ways(name: str) -> _Ways:
    own = _own().get(name)
    return _ways_of(own) if isinstance(own, BytePairEncoder) else _fixed_ways(name)


def _ways_of(tokenizer: BytePairEncoder) -> _Ways:
    special = {token.encode() for token in tokenizer.special_tokens}
    vocabulary = frozenset(data for data in tokenizer.token_table if data) - special
    return _Ways(tokenizer.pair_rank, vocabulary, pattern=tokenizer.pattern or "none")


@cache
def _fixed_ways(name: str) -> _Ways:
    if name == "note":
        ranks = {
            (left.encode(), right.encode()): n for left, right, n in LESSONS["tech-ranks"].ranks
        }
    elif name == "samples":
        ranks = {pair: rank for rank, pair in enumerate(corpora.merges())}
    else:
        encoder = catalog.encoding(name)
        assert isinstance(encoder, BytePairEncoder)  # of these alone the lesson has names
        pattern = catalog.facts(name).pattern
        return _Ways(token_ranks(encoder.ranks), frozenset(encoder.ranks), pattern=pattern)
    symbols = {*map(b"".join, ranks), *(bytes([byte]) for byte in range(BYTES))}
    return _Ways(ranks_of(ranks), frozenset(symbols))


def _answer() -> Answer:
    second = list(by_rank(single_bytes(" tech"), _ways("note").rank_of))[1]
    pair = [symbol.decode() for symbol in second.symbols[second.places[0] :][:2]]
    why = _(
        "`{pair}`: its rank {rank} is the lowest, although it stands at the end. Choose "
        "the tutorial's tokenizer and `·tech` below, and walk through it."
    ).format(pair=" + ".join(pair), rank=second.rank)
    return {"".join(pair).strip()}, why


def _check(answer: str) -> Verdict:
    ways = _ways("samples")
    for piece in split(answer[:200], ways.pattern):
        steps = list(by_rank(start := single_bytes(piece), ways.rank_of))
        ranked = steps[-1].after if steps else tuple(start)
        if ranked != (matched := longest(piece, ways.vocabulary)):
            verdict = _("They part: by rank {ranked}, by longest match {matched}.")
            return solved(verdict, ranked=_joined(ranked), matched=_joined(matched))
    return not_yet(_("Both cut it alike. Try a longer word, or a word with a prefix."))


def _joined(symbols: tuple[bytes, ...]) -> str:
    return quoted(" | ".join(symbol.decode("utf-8", "replace") for symbol in symbols), 80)


def _other_cuts() -> None:
    with st.expander(_("Is the greedy cut the shortest?"), icon=":material/alt_route:"):
        st.markdown(
            _(
                "BPE takes the lowest rank and never takes a merge back. So its cut is one of "
                "many, and not always the shortest."
            )
        )
        asking.bet("encode.ways", _ways_to_cut, word=_WORD)
        asking.puzzle("encode.fewest", _check_fewest, most=_SHORT)


def _ways_to_cut() -> Answer:
    ways = ways_to_cut(catalog.encoding("o200k_base"), _WORD)
    why = _(
        "{ways}: every letter is a token, and so are many runs of letters. BPE-dropout leaves "
        "merges out at random while a model is trained, so that it sees several cuts of a word "
        "and stumbles less over typos."
    ).format(ways=ways)
    return {str(ways)}, why


def _check_fewest(answer: str) -> Verdict:
    if len(answer) > _SHORT:
        return not_yet(_("At most {most} characters, please."), most=_SHORT)
    qwen = catalog.encoding("qwen3")
    by_merges, fewest = (
        tuple(map(qwen.token_bytes, ids))
        for ids in (qwen.encode_ordinary(answer), fewest_tokens(qwen, answer))
    )
    if len(fewest) == len(by_merges):
        verdict = _("{count} tokens, and no cut has fewer.").format(count=len(fewest))
        return not_yet(verdict)
    verdict = _("By merges {many}, at the fewest {few}.")
    return solved(verdict, many=_joined(by_merges), few=_joined(fewest))


def _decoding() -> None:
    with st.expander(_("And back: ids to text"), icon=":material/undo:"):
        st.markdown(
            _(
                "Decoding needs no algorithm: look up the bytes of each id and join them. Only a "
                "row that ends inside a character has no text; what is missing shows as �."
            )
        )
        default = "57668 53901 3574 244 98220"
        typed = st.text_input(
            _("Ids under GPT-4's tokenizer (cl100k_base)"),
            live=True,
            **Field("ids", default, state.words()).text(),
        )
        numbers = [part for part in (typed or "").replace(",", " ").split() if part]
        if not all(part.isascii() and part.isdigit() and len(part) < 10 for part in numbers):
            st.warning(_("Only whole numbers, with spaces between them, please."))
            return
        try:
            text = catalog.encoding("cl100k_base").decode(map(int, numbers[:500]))
        except BPEError as error:
            st.warning(error_text(error))
        else:
            st.code(text, language=None, wrap_lines=True)


LESSON = Lesson("encode", draw)
