"""The merge tree as a picture: boxes over the bytes that they join, the token on top."""

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

import streamlit as st

from bpe.analysis.merge_tree import Node, token_tree, word_trees
from bpe.analysis.segmentation import TokenFacts
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from bpe.text.readable import readable
from playground import session
from playground.ui import state
from playground.ui.i18n import _, error_text, plain, sentences_joined
from playground.ui.state import Field

LONGEST_WORD = 60
_WORD = "人工智能"

# The colours are those of the token view; a tree is scrolled where it is wider than its column.
_STYLE = Path(__file__).with_name("trees.css")


def show(encoders: Mapping[str, Encoder]) -> None:
    word = st.text_input(
        _("A word or token, spaces and all"),
        max_chars=LONGEST_WORD,
        **Field("tree_word", _WORD, state.words(LONGEST_WORD)).text(),
    )
    st.caption(
        _(
            "The bytes of the word are at the bottom. Each box above joins two neighbours and "
            "has the number of the merge that did it; the lower the number, the earlier the pair "
            "was worth a token. Blue boxes are whole characters, green ones the tokens."
        )
    )
    if not word:
        return
    drawn = []
    failed = []
    for code, encoder in encoders.items():
        try:
            trees = word_trees(encoder, word)
        except BPEError as error:
            failed.append(f"{plain(session.short(code))}: {error_text(error)}")
        else:
            title = _("{name}, tokens: {tokens}").format(
                name=session.short(code), tokens=len(trees)
            )
            drawn.append(
                f'<figure class="merge-row"><figcaption>{escape(title)}</figcaption>'
                f"{picture(trees)}</figure>"
            )
    if drawn:
        st.html(_STYLE)
        st.html(f'<div class="merge-rows">{"".join(drawn)}</div>')
    for note in failed:
        st.caption(note)


def show_pinned(encoder: Encoder, name: str, token: TokenFacts) -> None:
    try:
        tree = token_tree(encoder, token.id)
    except BPEError as error:
        st.caption(error_text(error))
        return
    st.markdown(facts(tree, name))
    st.html(_STYLE)
    st.html(picture([tree]))


def facts(tree: Node, name: str) -> str:
    first_sentence = _("`{token}` is token {id} of {name}, bytes: {size}.").format(
        token=_code(tree.bytes), id=tree.id, name=plain(name), size=len(tree.bytes)
    )
    if not tree.parts:
        return sentences_joined(first_sentence, _("No merge made it: it is there from the start."))
    if tree.rank is None:
        made = _(
            "No merge makes it: the vocabulary has it as it is, and merges stop at {parts} parts."
        ).format(parts=len(tree.parts))
    else:
        made = _("Merge {rank} made it of `{left}` and `{right}`.").format(
            rank=f"{tree.rank:,}", left=_code(tree.parts[0].bytes), right=_code(tree.parts[1].bytes)
        )
    inner = [node for node in tree.nodes() if node.rank is not None and node is not tree]
    if not inner:
        return sentences_joined(first_sentence, made)
    first = min(inner, key=lambda node: node.rank or 0)
    before = _(
        "Merges before it: {merges}, on so many levels: {levels}; the first made `{first}` "
        "({rank})."
    )
    return sentences_joined(
        first_sentence,
        made,
        before.format(
            merges=len(inner),
            levels=tree.height - 1,
            first=_code(first.bytes),
            rank=f"{first.rank:,}",
        ),
    )


def _code(data: bytes) -> str:
    return readable(data).replace("`", "ˋ")


def picture(trees: Sequence[Node]) -> str:
    """Return the trees as HTML, everything of the text in them escaped."""
    return f'<div class="merge-trees">{"".join(map(_tree, trees))}</div>'


def _tree(tree: Node) -> str:
    boxes: list[str] = []
    floor = tree.height + 1
    column = 1
    waiting = [(tree, 1)]
    starts: dict[int, int] = {}
    for node in tree.nodes():  # each before its parts, ends from left to right
        starts[id(node)] = column
        column += not node.parts
    while waiting:
        node, row = waiting.pop()
        ends = node.leaves
        until = row + 1 if node.parts else floor + 1
        boxes.append(_box(node, node is tree, f"{row}/{starts[id(node)]}/{until}/span {ends}"))
        waiting.extend((part, row + 1) for part in reversed(node.parts))
    label = escape(spoken(tree))
    return f'<div class="merge-tree" role="img" aria-label="{label}">{"".join(boxes)}</div>'


def _box(node: Node, is_root: bool, area: str) -> str:
    text = readable(node.bytes)
    if not node.parts and not node.cut and text.startswith("⟨"):
        text = text.strip("⟨⟩")
    kinds = [
        "root" * is_root,
        "end" * (not node.parts),
        "cut" * node.cut,
        _script(node.bytes) * (not is_root),
    ]
    names = " ".join(filter(None, kinds))
    number = f"<small>{node.rank:,}</small>" if node.rank is not None else ""
    title = _("id {id}").format(id=node.id) if node.id is not None else ""
    return (
        f'<span class="{names}" style="grid-area:{area}" title="{escape(title)}">'
        f"<bdi>{escape(text)}</bdi>{number}</span>"
    )


def _script(data: bytes) -> str:
    """Return ``"partial"`` for bytes that are not whole characters, ``"whole"`` for those that are.

    Characters of a single byte, which are never partial, are not worth a colour.
    """
    try:
        return "whole" * (len(data.decode()) < len(data))
    except UnicodeDecodeError:
        return "partial"


def spoken(tree: Node) -> str:
    """Return a tree in words for those who cannot see it: ``中国 = 中 + 国; 中 = …``."""
    return "; ".join(
        f"{readable(node.bytes)} = {' + '.join(readable(part.bytes) for part in node.parts)}"
        for node in tree.nodes()
        if node.parts
    ) or readable(tree.bytes)
