"""The tokenizers that are compared: their choice, and work that is done with each of them."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import streamlit as st

from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from playground import own_tokenizers, session
from playground.token_view import words
from playground.ui import fields, state
from playground.ui.i18n import _, error_text, names_joined, plain

Result = TypeVar("Result")

_QUIET_SECONDS = 0.4
"""Work that takes longer says what it does."""


class Chosen(Mapping[str, Encoder]):
    """Encoders by code; those of the catalogue stay loaded for one run of the page at most.

    Streamlit keeps what fragments and callbacks were given as long as the session lives: if that
    were encoders, no limit on their memory would hold.
    """

    _this_run = threading.local()
    """Streamlit runs each page in a thread of its own, with which this is gone."""

    def __init__(self, encoders: Mapping[str, Encoder]) -> None:
        self._own = {
            code: None if encoder.provenance == "catalogue" else encoder
            for code, encoder in encoders.items()
        }
        self._this_run.loaded = dict(encoders)

    def __getitem__(self, code: str) -> Encoder:
        if (own := self._own[code]) is not None:
            return own
        loaded: dict[str, Encoder] = self._this_run.__dict__.setdefault("loaded", {})
        if code not in loaded:
            loaded[code] = session.encoder(code)
        return loaded[code]

    def __iter__(self) -> Iterator[str]:
        return iter(self._own)

    def __len__(self) -> int:
        return len(self._own)


_NAMED = 6
"""How many names a button has."""


def choose(bringing: Any = None) -> Chosen:
    """Draw the choice of tokenizers and return the loaded ones by code.

    Uploads are read first and chosen at once. A tokenizer that cannot be loaded is
    said to be missing, and left out. With a place for ``bringing`` one's own, the choice is folded
    to a button with the names that are chosen; without one, uploads stand beside it.
    """
    usual = [*list(session.own())[-1:], *session.DEFAULT]
    if bringing is None:
        choice, beside = st.columns([2, 1], gap="large")
        bringing = beside.container(key="beside_labelled")
    else:
        choice = st.popover(
            _("Tokenizers: {names}").format(names=_names(fields.chosen("tokenizers", usual))),
            key="choose_tokenizers", icon=":material/add:",
        )  # fmt: skip
    title = _("Bring your own tokenizer")
    with bringing, st.expander(title, key="bring", icon=":material/upload_file:"):
        new = _bring()
    own_tokenizers.fetch_all(fields.asked_for("tokenizers"))
    with choice:
        chosen = fields.several(
            _("Tokenizers"),
            {code: session.label(code) for code in session.codes()},
            key="tokenizers",
            default=usual,
            also=new,
            always=bool(session.own()),
            say_unknown=_say_unknown,
            placeholder=_("Choose at least one"),
        )
        state.uses(chosen)
        encoders: dict[str, Encoder] = {}
        missing: dict[str, tuple[BPEError, list[str]]] = {}
        for code in chosen:
            try:
                encoders[code] = session.encoder(code)
            except BPEError as error:
                missing.setdefault(error.template, (error, []))[1].append(session.short(code))
        for why, names in missing.values():
            message = _("{name}: {reason}")
            st.error(message.format(name=plain(names_joined(names)), reason=error_text(why)))
    return Chosen(encoders)


def _names(chosen: Sequence[str]) -> str:
    codes = [code for code in chosen if code in session.codes()]
    names = names_joined(map(session.short, codes[:_NAMED]))
    return plain(names) + (f" +{len(codes) - _NAMED}" if len(codes) > _NAMED else "")


def are_chosen(encoders: Mapping[str, Encoder]) -> bool:
    if not encoders:
        st.info(_("Choose at least one tokenizer."), icon=":material/checklist:")
    return bool(encoders)


def _say_unknown(codes: Sequence[str]) -> None:
    for code in codes:
        if error := own_tokenizers.why_not(code):
            state.say(error_text(error))
        elif code.startswith(session.OWN):
            state.say(
                _(
                    "The tokenizer “{name}” is no longer here: it lived in the session in which it "
                    "was trained or uploaded. “Copy link” makes links that bring tokenizers of "
                    "samples and of short texts; a session file brings all."
                ).format(name=plain(code))
            )
        else:
            state.say_unknown([code])


BASE = "base"
"""The key of the tokenizer that colours the text: its name in the rows is clicked."""


def base_of(encoders: Mapping[str, Encoder]) -> str:
    if not encoders:
        return ""
    return fields.choice(BASE, list(encoders), next(iter(encoders)))


def _bring() -> list[str]:
    """Draw the upload, the name of a repository, and the visitor's own; return the new codes."""
    st.caption(
        _(
            "A tokenizer.json, a .tiktoken file, vocab.json with merges.txt, a SentencePiece "
            ".model, or a file saved here. It stays in this session and is never executed."
        )
    )
    new = [*own_tokenizers.read_files(), *own_tokenizers.fetch_from_hub()]
    for code, encoder in session.own().items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"{plain(session.label(code))}  \n:small[{_facts(encoder)}]")
            st.button(
                _("Remove"), key=f"remove_{code}", type="tertiary", icon=":material/close:",
                on_click=session.remove, args=(code,),
            )  # fmt: skip
    return new


def _facts(encoder: Encoder) -> str:
    facts = [_("{size} entries").format(size=f"{encoder.vocabulary_size:,}"), encoder.kind]
    if encoder.normalises:
        facts.append(
            _("changes the text: {how}").format(how=plain(words.changes(encoder.normalises)))
        )
    if encoder.lossy:
        facts.append(_("has unknown characters"))
    return " · ".join(facts)


def each(
    encoders: Mapping[str, Encoder],
    doing: str,
    work: Callable[[Encoder, Callable[[], None]], Result],
) -> dict[str, Result]:
    """Do work with every tokenizer; return the results by its code.

    ``doing`` says what is done with ``{name}``, once that takes a while. ``work`` also gets what it
    shall call now and then, so that a click ends the run there. A tokenizer that cannot do it
    (encode a text) is left out, and this is said.
    """
    results: dict[str, Result] = {}
    place, drawn = st.empty(), time.perf_counter()
    for number, code in enumerate(encoders):
        name = plain(session.short(code))

        def draw(
            share: float = number / len(encoders), text: str = doing.format(name=name)
        ) -> None:
            nonlocal drawn
            if time.perf_counter() - drawn > _QUIET_SECONDS:
                drawn = time.perf_counter()
                place.progress(share, text=text)

        draw()
        try:
            results[code] = work(encoders[code], draw)
        except BPEError as error:
            st.error(f"{name}: {error_text(error)}")
    place.empty()
    return results


def by_name(results: Mapping[str, Result]) -> dict[str, Result]:
    """Return results by the names that are shown."""
    return {session.short(code): result for code, result in results.items()}
