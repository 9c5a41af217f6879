"""“Copy link” in the header: the link of the page, and what a link cannot carry."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from operator import itemgetter
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

_PAGES = ("", "compare", "cost", "learn")
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
        steps = list(component(_COPY, {"steps": [object]}).get("steps", ()))
        instead = _instead_of_answers() if page == "learn" else None
        address, missing = of_page(page, steps, instead)
        if missing:
            st.markdown(_("Anyone who opens this link sees the page as it is now, but for this:"))
        elif instead is None:
            st.markdown(_("Anyone who opens this link sees the page as it is now."))
        else:
            st.markdown(_("Anyone who opens this link sees none of your answers."))
        if missing:
            _say_missing(missing)
            st.caption(_("The session file below holds more."))
        _copy(
            key=_COPY,
            data={
                "link": address,
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
) -> tuple[str, list[str]]:
    """Return the link to a page, and the names of what it does not carry.

    ``instead_of_answers`` has other fields than what the course was answered; ``steps`` is where
    the sliders of pictures stand, as the browser says.
    """
    gathered, missing = contents.of(page, all_pages=False)
    if instead_of_answers is not None:
        others = {name: each for name, each in gathered.fields.items() if name[:7] != "puzzle "}
        gathered = replace(gathered, fields={**others, **instead_of_answers}, answers={})
    whole = replace(gathered, fields={**gathered.fields, **contents.places(steps)})
    address, too_long = fitting(whole, (st.context.url or "").split("?")[0].split("#")[0])
    return address, [*state.files(), *missing, *too_long]


def _say_missing(names: Iterable[str]) -> None:
    st.warning(
        _("Not in it: {names}.").format(names=names_joined(map(plain, names))),
        icon=":material/link_off:",
    )


def _session_file(page: str) -> None:
    file, missing = contents.in_a_file(page)
    st.caption(
        _(
            "It holds all texts, uploaded ones too, settings, answers and tokenizers, and opens "
            "here to the same view."
        )
    )
    if missing:
        _say_missing(missing)
    st.download_button(
        _("Save the session"), partial(session_file.dumps, file), "bpe-session.zip",
        "application/zip", icon=":material/download:", on_click="ignore",
    )  # fmt: skip
    uploaded = file_uploader(
        _("Open a session file"), (".zip",), key="session_file", most_bytes=session_file.MOST_PACKED
    )
    if uploaded is not None and _READ.get() != uploaded.file_id:
        _READ.set(uploaded.file_id)
        _WRONG.pop()
        try:
            opened = contents.open_file(uploaded.getvalue(), uploaded.file_id)
        except BPEError as error:
            _WRONG.set(error)
        else:
            _CLOSE.set(True)
            if opened != page and opened in _PAGES:
                st.switch_page(f"pages/{opened or 'train'}.py")
            st.rerun(scope="app")
    if uploaded is not None and (wrong := _WRONG.get()):
        st.error(error_text(wrong))


def fitting(whole: State, base: str) -> tuple[str, list[str]]:
    """Return the link of a state within the budget, and the names of the parts left out for it."""
    left_out = []
    while len(address := f"{base}?{PARAMETER}={codec.pack(whole)}") > BUDGET:
        parts = [(len(str(whole.answers)), _("your answers"), replace(whole, answers={}))]
        for entry in whole.tokenizers:
            others = tuple(each for each in whole.tokenizers if each is not entry)
            parts.append((len(repr(entry)), entry.name, replace(whole, tokenizers=others)))
        for key, value in whole.fields.items():
            fields = {other: each for other, each in whole.fields.items() if other != key}
            parts.append((len(str(value)), _begins(str(value)), replace(whole, fields=fields)))
        _size, name, whole = max(parts, key=itemgetter(0))
        left_out.append(name)
    return address, left_out


def _begins(text: str) -> str:
    return _("the text that begins “{text}” ({characters} characters)").format(
        text=" ".join(text[:_QUOTED].split()), characters=f"{len(text):,}"
    )
