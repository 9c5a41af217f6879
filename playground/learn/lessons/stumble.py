"""Why models stumble: probes under production tokenizers, and a box of one's own."""

import unicodedata

import regex
import streamlit as st

from bpe.analysis.reach import unreachable
from bpe.encoders import catalog
from bpe.teaching import puzzles
from playground import session
from playground.learn import asking, content
from playground.learn.asking import Answer, Verdict, not_yet, solved
from playground.learn.ladder import Frame, Row, frames, ladder
from playground.learn.lesson import Lesson
from playground.merge_view import Card
from playground.ui.i18n import _

LONGEST = 80
_TOKENIZERS = ("cl100k_base", "o200k_base", "qwen3", "deepseek_v3", "llama3")
_THAI = regex.compile(r"\p{Thai}")


def draw() -> None:
    asking.bet("stumble.berry", _answer)
    first, *others = (probe["shown"] for probe in content.of("stumble")["probes"])
    text, place = asking.text(
        "stumble", most=LONGEST, of=lambda _sentence: first, examples=[asking.sentence(), *others]
    )
    with place:
        if text:
            ladder(
                text,
                [Row(session.short(name), "tokens", frames=_typed(name, text))
                 for name in _TOKENIZERS],
                key="stumble picture",
                positions=[_("characters typed: {step} / {last}").format(step=at, last=len(text))
                           for at in range(1, len(text) + 1)],
                step=len(text) - 1,
                cards=_cards(text),
            )  # fmt: skip
    asking.puzzle("stumble.alike", _check)
    _hardly_seen()


def _cards(text: str) -> list[Card]:
    last = len(text) - 1
    return [
        *(
            Card(_(probe["text"]), probe.get("part", "rows"), last)
            for probe in content.of("stumble")["probes"]
            if probe["shown"] == text
        ),
        *content.cards("stumble", last=last),
    ]


@st.cache_data(max_entries=256, show_spinner=False)
def _typed(name: str, text: str) -> tuple[Frame, ...]:
    return frames(_frame(name, text[:end], end - 1) for end in range(1, len(text) + 1))


def _frame(name: str, text: str, step: int) -> Frame:
    encoder = catalog.encoding(name)
    ids = encoder.encode(text, disallowed_special=())
    sizes = [len(encoder.token_bytes(token)) for token in ids]
    # Qwen writes NFC, which may be shorter than the text typed.
    if sum(sizes) != len(text.encode()):
        ids = encoder.encode(unicodedata.normalize("NFC", text), disallowed_special=())
        return Frame(step, [len(text.encode())], [_("changed by NFC")], count=len(ids))
    return Frame(step, sizes, ids=ids)


def _answer() -> Answer:
    encoder = catalog.encoding("o200k_base")
    inside, alone = (len(encoder.encode(text)) for text in (" strawberry", "strawberry"))
    why = _(
        "{inside}: the commonest form is one token, in which no letter can be seen. At the start "
        "of a text, without the space, there are {alone}."
    ).format(inside=inside, alone=alone)
    return {str(inside)}, why


def _check(answer: str) -> Verdict:
    one, equals, other = (part.strip() for part in answer.partition("="))
    if not equals or not one or not other or one == other:
        return not_yet(_("Two different texts with = between them, please."))
    if not puzzles.looks_alike(one, other):
        verdict = _("These do not look alike: {one}, {other}.")
        return not_yet(verdict, one=asking.quoted(one), other=asking.quoted(other))
    encoder = catalog.encoding("o200k_base")
    ids = [set(encoder.encode(text, disallowed_special=())) for text in (one, other)]
    if len(one) < 3:
        return not_yet(_("At least three characters each, please."))
    if shared := ids[0] & ids[1]:
        return not_yet(_("They share tokens: {count}."), count=len(shared))
    return solved(_("They look alike, and have not one token in common."))


def _hardly_seen() -> None:
    with st.expander(_("Tokens that no text produces"), icon=":material/warning:"):
        asking.bet("stumble.never", _dead)
        asking.puzzle("stumble.dead", _check_dead)


def _dead() -> Answer:
    with st.spinner(_("Encoding every token of {name}…").format(name="Qwen3")):
        found, thai = _unreached("qwen3")
    why = _(
        "{thai} of {found}. The split pattern cuts these words at their vowel signs, so no merge "
        "leads there. A model hardly ever sees such a token, and what it says to one is anybody's "
        "guess."
    ).format(thai=f"{thai:,}", found=f"{found:,}")
    return {"thai" if 2 * thai > found else ""}, why


@st.cache_data(show_spinner=False)
def _unreached(name: str) -> tuple[int, int]:
    tokens = unreachable(catalog.encoding(name))
    return len(tokens), sum(bool(_THAI.search(token.bytes.decode())) for token in tokens)


def _check_dead(answer: str) -> Verdict:
    encoder = catalog.encoding("o200k_base")
    token, ids = encoder.token_to_id(answer.encode()), encoder.encode_ordinary(answer)
    if token is None or token in encoder.special_tokens.values():
        verdict = _("GPT-4o has no such token; its text becomes {count}.")
        return not_yet(verdict, count=len(ids))
    if token in ids:
        return not_yet(_("It comes back: the text becomes token {id}."), id=token)
    tokens = " | ".join(encoder.token_bytes(each).decode("utf-8", "replace") for each in ids)
    verdict = _("Token {id} is there, and its text becomes {tokens}.")
    return solved(verdict, id=token, tokens=asking.quoted(tokens))


LESSON = Lesson("stumble", draw)
