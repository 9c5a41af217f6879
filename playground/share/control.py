"""“Copy link” in the header: the link of the page, and what a link cannot carry."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from bpe.errors import BPEError
from playground import browser
from playground.learn import asking
from playground.share import codec, contents, session_file
from playground.share.codec import BUDGET, State
from playground.share.contents import PARAMETER
from playground.ui import state
from playground.ui.fields import file_uploader
from playground.ui.i18n import _, error_text, names_joined, plain
from playground.ui.state import Field, component
from playground.ui.streamlit_private import fragment

_PAGES = {
    "": "pages/train.py",
    "compare": "pages/compare.py",
    "cost": "pages/cost.py",
    "learn": "pages/learn.py",
}
_KEY, _COPY = "share", "copy_link"
_CLOSE = Field("the popover is to be closed", False)
_READ = Field("session file read last", "")
_WRONG: Field[BPEError | None] = Field("what is wrong with it", None)
_QUOTED = 16
"""Characters by which a text that is left out is known."""

_copy = browser.component("bpe_copy", "share/copy.js", "share/copy.css")


@fragment
def draw(page: str) -> None:
    """Draw the button; what is behind it is worked out once it is opened.

    A fragment, so that opening it does not run the page again.
    """
    if _CLOSE.pop():
        Field(_KEY, False).set(False)
    place = st.popover(
        _("Copy link"), icon=":material/link:", type="tertiary", key=_KEY, on_change="rerun"
    )
    if not place.open:
        return
    with place:
        steps = _steps()
        instead = _instead_of_answers() if page == "learn" else None
        link = of_page(page, steps, instead)
        missing = left_out(link)
        if missing:
            st.markdown(_("Anyone who opens this link sees the page as it is now, but for this:"))
        elif instead is None:
            st.markdown(_("Anyone who opens this link sees the page as it is now."))
        else:
            st.markdown(_("Anyone who opens this link sees none of your answers."))
        for sentence in missing:
            st.warning(sentence, icon=":material/link_off:")
        if missing:
            st.caption(_("The session file below holds more."))
        _copy(
            key=_COPY,
            data={
                "link": link.address,
                "steps": steps,
                "labels": {
                    "copy": _("Copy"),
                    "copied": _("Copied"),
                    "field": _("The link"),
                    "byHand": _("The browser does not let this page copy. The link is marked."),
                },
            },
            on_steps_change=lambda: None,
        )
        with st.expander(_("The whole session as a file"), icon=":material/folder_zip:"):
            _session_file(page)


def _instead_of_answers() -> Mapping[str, Any] | None:
    """Ask whether the link has the answers; return the fields that it has in their place."""
    lesson = Field("lesson", "why").get()
    merges = Field("puzzle sheet.by-hand", "").get() if lesson == "sheet" else ""
    challenge = _("As a challenge: my score to beat, none of my answers")
    if not st.toggle(challenge if merges else _("Without my answers, for a class")):
        return None
    if lesson == "sheet":
        return {asking.CHALLENGE.key: merges} if merges else {}
    most = asking.LONGEST_ANSWER
    question = st.text_input(_("A question of your own, if you like"), max_chars=most)
    answer = question and st.text_input(_("Its answer, shown after theirs"), max_chars=most)
    return {f"{asking.ASKED}{lesson}": [question, answer]} if question else {}


def of_page(
    page: str, steps: Iterable[Any] = (), instead_of_answers: Mapping[str, Any] | None = None
) -> "Link":
    """Return the link to a page as it is, or with other fields than what the course was answered.

    ``steps`` is where the sliders of pictures stand, as the browser says.
    """
    gathered, tokenizers = contents.of_page(page)
    if instead_of_answers is not None:
        others = {name: each for name, each in gathered.fields.items() if name[:7] != "puzzle "}
        gathered = replace(gathered, fields={**others, **instead_of_answers}, answers={})
    whole = replace(gathered, fields={**gathered.fields, **contents.places(steps)})
    link = fitting(whole, (st.context.url or "").split("?")[0].split("#")[0])
    return replace(link, tokenizers=(*tokenizers, *link.tokenizers), files=tuple(state.files()))


def _session_file(page: str) -> None:
    file, missing = contents.in_a_file(page)
    st.caption(
        _(
            "It holds all texts, uploaded ones too, settings, answers and tokenizers, and opens "
            "here to the same view."
        )
    )
    if missing:
        st.warning(_("Not in it: {names}.").format(names=names_joined(map(plain, missing))))
    st.download_button(
        _("Save the session"), partial(session_file.dumps, file), "bpe-session.zip",
        "application/zip", icon=":material/download:", on_click="ignore",
    )  # fmt: skip
    uploaded = file_uploader(
        _("Open a session file"), (".zip",), key="session_file", most_bytes=session_file.MOST_PACKED
    )
    if uploaded is None or _READ.get() == uploaded.file_id:
        if uploaded is not None and (error := _WRONG.get()):
            st.error(error_text(error))
        return
    _READ.set(uploaded.file_id)
    try:
        opened = contents.open_file(uploaded.getvalue(), uploaded.file_id)
    except BPEError as error:
        _WRONG.set(error)
        st.error(error_text(error))
        return
    _WRONG.pop()
    _CLOSE.set(True)
    if opened != page and opened in _PAGES:
        st.switch_page(_PAGES[opened])
    st.rerun(scope="app")


def _steps() -> list[Any]:
    return list(component(_COPY, {"steps": [object]}).get("steps", ()))


@dataclass(frozen=True)
class Link:
    """An address, and the names of what it does not carry."""

    address: str
    files: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    """Those that it is too short for, whole."""
    tokenizers: tuple[str, ...] = ()
    answers: bool = False
    """Whether the answers of the course are left out."""


def fitting(whole: State, base: str) -> Link:
    """Return the link of a state; what is longest is left out until it keeps the budget."""
    link = Link("")
    while len(address := f"{base}?{PARAMETER}={codec.pack(whole)}") > BUDGET:
        fields = {key: len(str(value)) for key, value in whole.fields.items()}
        entries = [len(repr(entry)) for entry in whole.tokenizers]
        answers = sum(len(str(part)) for part in whole.answers.values())
        longest = max([answers, *entries, *fields.values()])
        if longest in entries:
            place = entries.index(longest)
            others = (*whole.tokenizers[:place], *whole.tokenizers[place + 1 :])
            link = replace(link, tokenizers=(*link.tokenizers, whole.tokenizers[place].name))
            whole = replace(whole, tokenizers=others)
        elif longest == answers:
            whole, link = replace(whole, answers={}), replace(link, answers=True)
        else:
            key = max(fields, key=fields.__getitem__)
            text = str(whole.fields[key])
            shorter_fields = {each: value for each, value in whole.fields.items() if each != key}
            whole = replace(whole, fields=shorter_fields)
            link = replace(link, texts=(*link.texts, text))
    return replace(link, address=address)


def left_out(link: Link) -> list[str]:
    sentences = []
    if link.files:
        sentences.append(
            _("Uploaded files are not in a link: {names}.").format(
                names=names_joined(map(plain, link.files))
            )
        )
    if link.tokenizers:
        sentences.append(
            _("These tokenizers are not in it, as their corpus is uploaded or long: {names}.")
            .format(names=names_joined(map(plain, link.tokenizers)))
        )  # fmt: skip
    sentences += [
        _("The text that begins “{text}” is too long for a link: it has {characters} characters.")
        .format(text=plain(" ".join(text[:_QUOTED].split())), characters=f"{len(text):,}")
        for text in link.texts
    ]  # fmt: skip
    if link.answers:
        sentences.append(_("Your answers are too long for a link."))
    return sentences
