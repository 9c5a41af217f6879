"""A text that one edits, its tokens in colour, and under it the same text under every tokenizer."""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

import streamlit as st

from bpe.analysis import merge_tree
from bpe.analysis.metrics import count_hanzi, english_words, tokens_per_hanzi
from bpe.analysis.segmentation import Segmentation, TokenFacts
from bpe.encoders.base import Encoder
from playground import session, text_pair
from playground.compare import token_actions, tokenizers
from playground.editor import editor, text_of
from playground.text_pair import Texts
from playground.token_view import BASE_ACTION, Row, aligned_view, token_view
from playground.ui import caches, unseen
from playground.ui.i18n import _, plain
from playground.ui.state import Field
from playground.ui.streamlit_private import fragment

_AGAIN = Field("compare again", False)
_TIMES = 1.5
"""From this ratio on a verdict says "times", below it the percentage."""
_MEASURED = 20_000
"""Characters of a text up to which ratios are worked out with each key."""


Cuts = dict[str, dict[str, Segmentation]]
"""Language to the code of a tokenizer to the text as it cuts it."""


def cut(
    encoders: Mapping[str, Encoder],
    texts: Mapping[str, str],
    *,
    after: Mapping[str, str | None] = MappingProxyType({}),
) -> Cuts:
    """Return each text under each tokenizer; where that takes long, say what takes so long.

    ``after`` are the texts before an edit, of which only what changed is cut again. A tokenizer
    that cannot encode a text (an unseen character) is left out, and this is said.
    """
    doing = _("Cutting the text with {name}…")

    def cut_all(language: str, text: str) -> dict[str, Segmentation]:
        before = after.get(language)
        return tokenizers.each(
            encoders, doing, lambda each, _step: caches.segmentation(each, text, after=before)
        )

    return {language: cut_all(language, text) for language, text in texts.items() if text}


@fragment
def show(side: str, shown: Texts, encoders: Mapping[str, Encoder], base: str) -> None:
    """Draw the editor of a side, coloured by the tokenizer ``base``, and the rows of all.

    A key draws this part anew; the rest of the page follows after a pause.
    """
    # What is behind a dialog is drawn when that is closed: drawn meanwhile, it could open it again.
    in_front = token_actions.is_open(side, text_of(session.side(side).key))
    card = st.container(border=True, gap="small")
    with card:
        typed = editor(
            shown.label(side),
            encoders[base],
            key=session.side(side).key,
            name=session.short(base),
            placeholder=_("Type or paste a text: each key is answered in colour."),
            rows=3,
            restore=shown.own,
            on_edit=lambda: _edited(side),
        )
    # A pause of typing is reported once, and reading the session may end this run: it comes first.
    if not in_front and (typed.settled or _AGAIN.pop()):
        st.rerun()
    if typed.settled:
        _AGAIN.set(True)
    if not typed.text:
        return
    by_code = cut(encoders, {side: typed.text}, after={side: typed.before})[side]
    if sentence := verdict({code: len(segmentation) for code, segmentation in by_code.items()}):
        card.markdown(sentence)
    with card:
        unseen.notice(typed.text, key=side, load=lambda: encoders[base])
    near = len(typed.text[: typed.place].encode())
    _views(encoders, by_code, side, shown, base, typed.text, near)
    token_actions.open_dialog(side, typed.text)


def verdict(counts: Mapping[str, int]) -> str:
    if len(counts) < 2:
        return ""
    least, most = min(counts, key=counts.__getitem__), max(counts, key=counts.__getitem__)
    few, many = counts[least], counts[most]
    if few == many:
        template = _("All {count} tokenizers need the same number of tokens for it: {tokens}.")
    elif few and many / few >= _TIMES:
        template = _(
            "**{most} needs {ratio:.1f} times as many tokens as {least}**: {many} against {few}."
        )
    else:
        template = _(
            "**{most} needs {percent:.0%} more tokens than {least}**: {many} against {few}."
        )
    return template.format(
        count=len(counts),
        tokens=f"{many:,}",
        most=plain(session.short(most)),
        least=plain(session.short(least)),
        ratio=many / max(few, 1),
        percent=many / max(few, 1) - 1,
        many=f"{many:,}",
        few=f"{few:,}",
    )


def _edited(side: str) -> None:
    if text_pair.edited(side):
        _AGAIN.set(True)


def _views(
    encoders: Mapping[str, Encoder],
    by_code: Mapping[str, Segmentation],
    side: str,
    shown: Texts,
    base: str,
    text: str,
    near: int,
) -> None:
    aligned = alike(by_code)

    def ask(codes: list[str], what: str, row: int, token: TokenFacts) -> None:
        if what == BASE_ACTION:
            Field(tokenizers.BASE, "").set(codes[row])
            _AGAIN.set(True)
        elif token_actions.ask(side, what, codes[row], token, text):
            _AGAIN.set(True)

    def tell(codes: list[str], row: int, token: bytes) -> list[tuple[str, str]]:
        others = {code: each for code, each in encoders.items() if code != codes[row]}
        return session.elsewhere(token, others)

    def row(code: str) -> Row:
        return Row(
            by_code[code],
            session.short(code),
            partial(merge_tree.made, encoders[code]),
            measure(by_code[code], text),
            "" if code in session.own() else code,
        )

    if aligned:
        aligned_view(
            [row(code) for code in aligned],
            key=f"aligned_{side}",
            base=aligned.index(base) if base in aligned else None,
            controls=side == shown.sides[0],
            near=near,
            actions=token_actions.actions(),
            on_ask=partial(ask, aligned),
            tell=partial(tell, aligned),
        )
    for code in by_code:
        if code in aligned:
            continue
        name = plain(session.short(code))
        st.caption(
            _(
                "{name} changes the text first, or does not know all of it: its boundaries cannot "
                "stand under the others, and it is shown by itself."
            ).format(name=name)
        )
        token_view(
            Row(by_code[code], made=partial(merge_tree.made, encoders[code])),
            key=f"view_{side}_{code}",
            show_ids=False,
            actions=token_actions.actions(),
            on_ask=partial(ask, [code]),
            tell=partial(tell, [code]),
        )


def measure(segmentation: Segmentation, text: str) -> str:
    if len(text) > _MEASURED:
        return ""
    if session.language_of(text) == "zh" and count_hanzi(text):
        return _("{ratio:.2f} per character").format(ratio=tokens_per_hanzi([segmentation]))
    words = len(english_words(text))
    return _("{ratio:.2f} per word").format(ratio=len(segmentation) / words) if words else ""


def alike(by_code: Mapping[str, Segmentation]) -> list[str]:
    """Return the most tokenizers that spell the same bytes, of equally many the first."""
    of_bytes: dict[bytes, list[str]] = {}
    for code, segmentation in by_code.items():
        of_bytes.setdefault(segmentation.data, []).append(code)
    return max(of_bytes.values(), key=len, default=[])
