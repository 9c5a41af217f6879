"""Publishing a tokenizer on this server, and loading those that others have published.

There is a place for it only where the operator of the server has set ``BPE_STORE`` (a folder or a
URL of ``fsspec``) in the environment or in Streamlit's secrets, whose top level is put there, too.
"""

import logging
import os
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeVar
from urllib.parse import urlencode, urlsplit, urlunsplit
from weakref import WeakValueDictionary

import streamlit as st
from streamlit import config

from bpe import limits
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from bpe.files.store import TokenizerStore
from playground import session
from playground.ui.i18n import KEY, _, error_text, language, sentences_joined
from playground.ui.requests import fragment

CODE = "published-"
"""How the codes of published tokenizers begin; the rest is the digest."""

_URL, _MOST_BYTES, _MOST_TOKENIZERS = "BPE_STORE", "BPE_STORE_MAX_BYTES", "BPE_STORE_MAX_COUNT"
_PUBLISHED = "digests of published tokenizers"
_FAILED = "published tokenizers that could not be loaded"
_TIMES = "times of publishing"
_LONGEST_NAME = 60
_HOUR = 3600

MOST_AN_HOUR = 20
"""Publications of one session."""
MOST_ENTRIES = 500_000
"""Of the published tokenizers of a session together, from which on no other is loaded."""

_LOADING_BYTES = 64 * 2**20
_loading = threading.Lock()
_loaded: "WeakValueDictionary[tuple[str, str], Encoder]" = WeakValueDictionary()
"""By store and digest, as long as any session has it."""

Result = TypeVar("Result")

_log = logging.getLogger(__name__)


def store() -> TokenizerStore | None:
    if not (url := os.environ.get(_URL, "").strip()):
        return None
    usual = TokenizerStore(url)
    return replace(
        usual,
        max_bytes=_number(_MOST_BYTES, usual.max_bytes),
        max_count=_number(_MOST_TOKENIZERS, usual.max_count),
    )


def _number(name: str, default: int) -> int:
    given = os.environ.get(name, "").replace("_", "").strip()
    if given and not (given.isdecimal() and int(given)):
        _log.warning("%s is not a whole number above 0, so it is %d", name, default)
        return default
    return int(given or default)


def can_be_published(tokenizer: Encoder) -> bool:
    return store() is not None and "bpe" in tokenizer.formats


@fragment
def popover(tokenizer: Encoder, code: str) -> None:
    """Draw the button behind which a tokenizer of this session is published, if that is possible.

    A fragment, so that a click in it leaves the page and with it the open popover as they are.
    """
    if not can_be_published(tokenizer):
        return
    place = st.popover(
        _("Publish"),
        icon=":material/public:",
        key=f"publish-{code}",
        on_change="rerun",
    )
    if place.open:
        with place:
            _form(tokenizer, code)


def _form(tokenizer: Encoder, code: str) -> None:
    st.markdown(
        sentences_joined(
            _(
                "Publishing keeps this tokenizer on the server: its merges, its recipe and its "
                "name. Anyone with the link can load and download it."
            ),
            _(
                "The corpus is not published. But tokens are pieces of it: words, names and "
                "numbers that it repeats can be read from them."
            ),
            _("What is published cannot be taken back here; what nobody uses is deleted in time."),
        )
    )
    name = session.label(code)[:_LONGEST_NAME]
    digests: dict[tuple[str, str], str] = st.session_state.setdefault(_PUBLISHED, {})
    if st.button(
        _("Publish this tokenizer"), key=f"publish-now-{code}", type="primary", width="stretch"
    ):
        try:
            with st.spinner(_("Publishing…")):
                digests[code, name] = publish(tokenizer, name)
        except BPEError as error:
            st.error(error_text(error))
    if digest := digests.get((code, name)):
        st.success(_("Published. This link opens it on the Compare page:"))
        st.code(link(digest), language=None, wrap_lines=True)


def publish(tokenizer: Encoder, name: str) -> str:
    here = _store()
    now = time.time()
    times: list[float] = st.session_state.setdefault(_TIMES, [])
    times[:] = [each for each in times if now - each < _HOUR]
    if len(times) >= MOST_AN_HOUR:
        raise BPEError(
            "You have published {most} tokenizers within an hour, and each makes room for itself "
            "among those of others. Try again later.",
            most=MOST_AN_HOUR,
        )
    digest = _logged(lambda: here.publish(tokenizer, name))
    times.append(now)
    return digest


def digest_of(code: str) -> str:
    """Return the digest by which others can load a tokenizer of this session, or nothing."""
    if code.startswith(CODE):
        return code.removeprefix(CODE)
    digests: dict[tuple[str, str], str] = st.session_state.get(_PUBLISHED, {})
    return next((digest for (known, _name), digest in digests.items() if known == code), "")


def fetch(digest: str) -> Encoder:
    """Return a published tokenizer, the same object for all sessions that have it.

    One that is not there, or damaged, or a server without a store raises :class:`bpe.BPEError`.
    """
    here = _store()
    with _loading:
        if (tokenizer := _loaded.get((here.url, digest))) is None:
            limits.require_memory(_LOADING_BYTES)
            tokenizer = _loaded[here.url, digest] = _logged(lambda: here.load(digest))
    return tokenizer


def load(digest: str) -> str:
    """Load a published tokenizer into this session and return the code it is chosen by.

    Raises what :func:`fetch` raises.
    """
    code = f"{CODE}{digest}"
    if code not in session.own():
        tokenizer = fetch(digest)
        session.add(code, tokenizer)
        session.rename(code, tokenizer.name[:_LONGEST_NAME].strip() or code[: len(CODE) + 8])
    return code


def load_chosen(codes: Iterable[str], most: int) -> None:
    """Load the published tokenizers among the codes of a link, as many as ``most`` at a time.

    Why one could not be loaded is said by :func:`why_not`.
    """
    failed: dict[str, BPEError] = st.session_state.setdefault(_FAILED, {})
    for code in list(dict.fromkeys(codes)):
        if not code.startswith(CODE) or code in session.own():
            continue
        try:
            others = [own for each, own in session.own().items() if each.startswith(CODE)]
            if len(others) >= most or sum(own.vocabulary_size for own in others) >= MOST_ENTRIES:
                raise BPEError(
                    "There is room for {most} tokenizers of your own. Remove one first.",
                    most=len(others),
                )
            with st.spinner(_("Loading a published tokenizer…")):
                load(code.removeprefix(CODE))
            failed.pop(code, None)
        except BPEError as error:
            failed[code] = error


def why_not(code: str) -> str | None:
    """Return why a code of a link could not be loaded, if it is that of a published tokenizer."""
    failed: dict[str, BPEError] = st.session_state.get(_FAILED, {})
    return error_text(failed[code]) if code in failed else None


def link(digest: str) -> str:
    chosen = [f"{CODE}{digest}", "o200k_base"]
    query = urlencode([*(("tokenizers", code) for code in chosen), (KEY, language())])
    here = urlsplit(st.context.url or "")
    base = config.get_option("server.baseUrlPath").strip("/")
    path = "/".join(["", *filter(None, [base, "compare"])])
    return urlunsplit((here.scheme, here.netloc, path, query, ""))


def _store() -> TokenizerStore:
    here = store()
    if here is None:
        raise BPEError(
            "This server has no place for published tokenizers. Ask the sender of the link for the "
            "file of the tokenizer."
        )
    return here


def _logged(work: Callable[[], Result]) -> Result:
    """Do work with the store; what it could not reach is in the log, not on the page."""
    try:
        return work()
    except BPEError as error:
        if error.__cause__:
            _log.warning("the store of published tokenizers: %r", error.__cause__)
        raise
