"""Why models stumble: probes under production tokenizers, and a box of one's own."""

import unicodedata
from dataclasses import dataclass

import regex
import streamlit as st

from bpe.analysis import vocabulary
from bpe.analysis.reach import unreachable
from bpe.encoders import catalog
from bpe.teaching import puzzles
from playground.learn import asking
from playground.learn.asking import Answer, Verdict
from playground.learn.ladder import Frame, Row, frames, ladder
from playground.learn.lesson import Lesson
from playground.merge_view import Card
from playground.ui import fields
from playground.ui.i18n import _, plain

LONGEST = 80
_TOKENIZERS = {
    "cl100k_base": "GPT-4",
    "o200k_base": "GPT-4o",
    "qwen3": "Qwen3",
    "deepseek_v3": "DeepSeek",
    "llama3": "Llama 3",
}
_LISTED = 25
_THAI = regex.compile(r"\p{Thai}")


@dataclass(frozen=True)
class _Probe:
    """A text, and what its tokens show."""

    text: str
    claim: str
    part: str = "rows"
    """Which rows show it."""


def _probes() -> list[_Probe]:
    return [
        _Probe(
            "strawberry",
            _("Where is the letter r? Nowhere: the model sees three tokens, not ten letters. It "
              "can count r only if it has learned how each token is spelled."),
        ),
        _Probe(
            "9.11 > 9.9",
            _("`9.11` ends in the token `11`, `9.9` in `9`, and eleven is more than nine: a model "
              "that compares tokens is led astray. Qwen reads digit by digit."),
        ),
        _Probe(
            "2+2 2 + 2",
            _("Tutorials say that `2+2` may be one garbled token. Not with these: it is three. But "
              "with spaces there is a token more, and another `+`, the one with a space."),
        ),
        _Probe(
            "12345678 + 1",
            _("Three digits a token, **counted from the left**: 123 456 78. On paper one groups "
              "from the right, 12 345 678, so that the places of two numbers stand under each "
              "other."),
        ),
        _Probe(
            "hello Hello HELLO",
            _("One word to us, three rows of ids to the model. Capitals are often cut to pieces, "
              "as they were rare where the tokenizer learned."),
        ),
        _Probe(
            "hello hello ",
            _("The space belongs to the next word. A prompt that ends in a space leaves a lone "
              "space token behind, which hardly ever stood there in training."),
        ),
        _Probe(
            "ABC123 ＡＢＣ１２３",
            _("Half-width and full-width: the same to the eye, not one token in common. Normalise "
              "what users type before you search it."),
        ),
        _Probe(
            "头发 頭髮",
            _("Simplified is common, traditional rare: the same word costs two to four times as "
              "many tokens, except with DeepSeek, which has both."),
        ),
        _Probe(
            "龘 𰻝",
            _("Rare Chinese characters fall back to bytes: two tokens for 龘, four for 𰻝. "
                "Nothing is lost, but "
              "the model has to spell them."),
        ),
        _Probe(
            "👨\u200d👩\u200d👧\u200d👦",
            _("One family on the screen, seven characters in Unicode: four people and three "
              "joiners without width. In tokens it is ten and more."),
        ),
        _Probe(
            "红的是花，白的是云",
            _("Some tutorials fear that 的 and 是 are merged only because they often meet. "
              "They are: `的是` is one token everywhere but in GPT-4, though 的 belongs to 红 "
              "and 是 to 花."),
            "rows 1,2,3,4",
        ),
        _Probe(
            "xenon pneumonoultramicroscopic",
            _("A rare word falls to pieces that mean nothing: `x`, `en`, `on`. Tutorials say "
              "single letters; large vocabularies still find two letters that go together."),
        ),
        _Probe(
            "unhappiness unhappily",
            _("The cut follows frequency and not grammar: `un` + `h` + `appiness`. No dictionary "
              "cuts there; the model has to find out that this is *happy* all the same."),
        ),
        _Probe(
            " SolidGoldMagikarp",
            _("In GPT-2 this was one token, a user name from a forum that the model itself hardly "
              "ever saw; asked about it, it talked nonsense. Today it is five ordinary tokens."),
        ),
    ]  # fmt: skip


def draw() -> None:
    st.markdown(
        _(
            "A model never sees your letters, only ids. What looks the same to you may look "
            "different to it, and what it should count may not be there at all. Each probe "
            "below is one such place, shown as the tokenizers of today cut it."
        )
    )
    probes = _probes()
    text, place = asking.text(
        "stumble", [asking.sentence(), *(probe.text for probe in probes)], _("Your own probe"),
        most=LONGEST, of=lambda _sentence: probes[0].text,
    )  # fmt: skip
    with place:
        if text:
            ladder(
                text,
                [Row(label, "tokens", frames=_typed(name, text))
                 for name, label in _TOKENIZERS.items()],
                key="stumble picture",
                positions=[_("characters typed: {step} / {last}").format(step=at, last=len(text))
                           for at in range(1, len(text) + 1)],
                step=len(text) - 1,
                cards=_cards(text, probes),
            )  # fmt: skip
        else:
            st.info(_("Type a word or a sentence, or press an example."))
    _bet()
    _puzzle()
    _hardly_seen()


def _cards(text: str, probes: list[_Probe]) -> list[Card]:
    last = len(text) - 1
    claims = [Card(probe.claim, probe.part, last) for probe in probes if probe.text == text]
    return [
        *claims,
        Card(
            _("Drag the slider: the text is typed character by character. The last token changes, "
              "and often those before it. A model reads whatever stands there when you stop."),
            "transport", None,
        ),
        Card(
            _("Click a token: its id is all that the model gets. Nothing in an id tells it "
              "which letters, digits or strokes are in it."),
            "rows", last,
        ),
    ]  # fmt: skip


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


def _bet() -> None:
    def answer() -> Answer:
        encoder = catalog.encoding("o200k_base")
        tokens = [encoder.token_bytes(token).decode() for token in encoder.encode("strawberry")]
        why = _(
            "{count}: {tokens}. And with a space before it, as inside a sentence, {other}: the "
            "commonest form is one token, in which no letter can be seen."
        ).format(
            count=len(tokens),
            tokens=plain(" | ".join(tokens)),
            other=len(encoder.encode(" strawberry")),
        )
        return Answer({str(len(tokens))}, why)

    asking.bet(
        "stumble.berry",
        _("How many tokens does GPT-4o see in “strawberry”?"),
        {"1": "1", "3": "3", "10": "10"},
        answer,
    )


def _puzzle() -> None:
    def check(answer: str) -> Verdict:
        one, equals, other = (part.strip() for part in answer.partition("="))
        if not equals or not one or not other or one == other:
            return Verdict(False, _("Two different texts with = between them, please."))
        if not puzzles.looks_alike(one, other):
            return Verdict(
                False,
                _("These do not look alike: {one}, {other}.").format(
                    one=asking.quoted(one), other=asking.quoted(other)
                ),
            )
        encoder = catalog.encoding("o200k_base")
        ids = [set(encoder.encode(text, disallowed_special=())) for text in (one, other)]
        if len(one) < 3:
            return Verdict(False, _("At least three characters each, please."))
        if ids[0] & ids[1]:
            return Verdict(
                False, _("They share tokens: {count}.").format(count=len(ids[0] & ids[1]))
            )
        return Verdict(True, _("They look alike, and have not one token in common."))

    asking.puzzle(
        "stumble.alike",
        _(
            "Write two texts that a reader takes for the same, and that share no token with "
            "GPT-4o. Put = between them."
        ),
        _("one = other"),
        check,
        hint=_(
            "Other alphabets have letters that look like Latin ones, and some Chinese "
            "characters have a twin."
        ),
    )


def _hardly_seen() -> None:
    title = _("Tokens that no text produces, and what very long ones tell")
    with st.expander(title, icon=":material/warning:"):
        asking.bet(
            "stumble.never",
            _(
                "Some 1,900 tokens of Qwen3 do not come back when their own text is encoded. What "
                "are most of them?"
            ),
            {"spam": _("Chinese advertising"), "code": _("source code"), "thai": _("Thai words")},
            _dead,
        )
        asking.puzzle(
            "stumble.dead",
            _("Write the text of a token that GPT-4o has and never makes of this text."),
            _("Your text"),
            _check_dead,
            hint=_("A space, a pronoun of one letter, and the sign that begins its ending."),
        )
        st.markdown(f"**{_('What long Chinese tokens tell of the training text')}**")
        if fields.shows_spam("polluted"):
            st.code("\n".join(_longest("o200k_base")), language=None)


def _dead() -> Answer:
    with st.spinner(_("Encoding every token of {name}…").format(name="Qwen3")):
        found, thai = _unreached("qwen3")
    why = _(
        "{thai} of {found}. The split pattern cuts these words at their vowel signs, so no merge "
        "leads there. A model hardly ever sees such a token, and what it says to one is anybody's "
        "guess."
    ).format(thai=f"{thai:,}", found=f"{found:,}")
    return Answer({"thai" if 2 * thai > found else ""}, why)


@st.cache_data(show_spinner=False)
def _unreached(name: str) -> tuple[int, int]:
    """Return how many tokens no text produces, and how many of them have Thai in them."""
    found = unreachable(catalog.encoding(name))
    return len(found), sum(bool(_THAI.search(token.bytes.decode())) for token in found)


def _check_dead(answer: str) -> Verdict:
    encoder = catalog.encoding("o200k_base")
    token, ids = encoder.token_to_id(answer.encode()), encoder.encode_ordinary(answer)
    if token is None or encoder.is_special_token(token):
        said = _("GPT-4o has no such token; its text becomes {count}.")
        return Verdict(False, said.format(count=len(ids)))
    if token in ids:
        return Verdict(False, _("It comes back: the text becomes token {id}.").format(id=token))
    tokens = " | ".join(encoder.token_bytes(each).decode("utf-8", "replace") for each in ids)
    said = _("Token {id} is there, and its text becomes {tokens}.")
    return Verdict(True, said.format(id=token, tokens=asking.quoted(tokens)))


@st.cache_data(show_spinner=False)
def _longest(name: str) -> list[str]:
    known = vocabulary.read(catalog.encoding(name))
    return [entry.text for entry in known.entries(known.longest("han", _LISTED))]


LESSON = Lesson("stumble", lambda: _("Why models stumble"), draw, minutes=9, puzzles=2)
