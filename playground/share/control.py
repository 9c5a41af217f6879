"""“Copy link” in the header: the link of the page, and what a link cannot carry."""

from dataclasses import dataclass, replace
from pathlib import Path

import streamlit as st

from playground.share import codec, contents
from playground.share.arriving import PARAMETER
from playground.share.codec import BUDGET, State
from playground.share.contents import Gathered
from playground.ui.i18n import _, names_joined, plain

_HERE = Path(__file__).parent
_QUOTED = 16
"""Characters by which a text that is left out is known."""

_copy = st.components.v2.component(
    "bpe_copy",
    css=(_HERE / "copy.css").read_text(encoding="utf-8"),
    js=(_HERE / "copy.js").read_text(encoding="utf-8"),
)


@st.fragment
def draw(page: str) -> None:
    """Draw the button; what is behind it is worked out once it is opened.

    A fragment, so that opening it does not run the page again.
    """
    place = st.popover(
        _("Copy link"), icon=":material/link:", type="tertiary", key="share", on_change="rerun"
    )
    if not place.open:
        return
    with place:
        gathered = contents.of_page(page)
        link = fitting(gathered.state, _address())
        st.markdown(_("Whoever opens this link sees the page as it is now."))
        for sentence in left_out(gathered, link):
            st.warning(sentence, icon=":material/link_off:")
        _copy(
            key="copy_link",
            data={
                "link": link.address,
                "labels": {
                    "copy": _("Copy"),
                    "copied": _("Copied"),
                    "field": _("The link"),
                    "byHand": _("The browser does not let this page copy. The link is marked."),
                },
            },
        )


def _address() -> str:
    return (st.context.url or "").split("?")[0].split("#")[0]


@dataclass(frozen=True)
class Link:
    """An address, and the texts and tokenizers that it is too short for."""

    address: str
    texts: tuple[str, ...] = ()
    tokenizers: tuple[str, ...] = ()
    answers: bool = False
    """Whether the answers of the course are left out."""


def fitting(state: State, base: str) -> Link:
    """Return the link of a state; what is longest is left out until it keeps the budget."""
    link = Link("")
    while len(address := f"{base}?{PARAMETER}={codec.pack(state)}") > BUDGET:
        sizes = {key: len(str(value)) for key, value in state.fields.items()}
        field = max(sizes, key=sizes.__getitem__, default="")
        corpora = [len(each.corpus.text) if each.corpus else 0 for each in state.tokenizers]
        answers = sum(len(str(part)) for part in state.answers.values())
        longest = max([sizes.get(field, 0), answers, *corpora])
        if longest == answers:
            state, link = replace(state, answers={}), replace(link, answers=True)
        elif longest in corpora:
            entry = state.tokenizers[corpora.index(longest)]
            others = tuple(each for each in state.tokenizers if each is not entry)
            state = replace(state, tokenizers=others)
            link = replace(link, tokenizers=(*link.tokenizers, entry.name))
        else:
            text = str(state.fields[field])
            others_ = {key: value for key, value in state.fields.items() if key != field}
            state, link = replace(state, fields=others_), replace(link, texts=(*link.texts, text))
    return replace(link, address=address)


def left_out(gathered: Gathered, link: Link) -> list[str]:
    """Say what the link does not carry, each by its name."""
    said = []
    if gathered.files:
        said.append(
            _("Uploaded files are not in a link: {names}.").format(
                names=names_joined(map(plain, gathered.files))
            )
        )
    if names := (*gathered.tokenizers, *link.tokenizers):
        said.append(
            _("These tokenizers are not in it, as their corpus is uploaded or long: {names}.")
            .format(names=names_joined(map(plain, names)))
        )  # fmt: skip
    said += [
        _("Too long for a link is the text that begins “{text}”, with {characters} characters.")
        .format(text=plain(" ".join(text[:_QUOTED].split())), characters=f"{len(text):,}")
        for text in link.texts
    ]  # fmt: skip
    if link.answers:
        said.append(_("Your answers are too long for a link."))
    return said
