"""A session in a link, in a session file or in the browser's tab: gathered and restored.

Fields register themselves in :mod:`playground.ui.state`, tokenizers are in
:mod:`playground.session`, answers of the course in :mod:`playground.learn.lesson`.

A link is read in the first run of a session and leaves the address bar in the second, when the
browser knows that this is no new page to go back from. The tab stores the session's state after
each run, and sends it once when it is reloaded.
"""

import re
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import streamlit as st

from bpe import files
from bpe.algorithm.recipe import Recipe
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from bpe.files import native
from playground import browser, own_tokenizers, session
from playground.learn import lesson
from playground.share import codec, session_file
from playground.share.codec import MOST_TEXT, MOST_TOKENIZERS, OwnTokenizer, State
from playground.share.session_file import SessionFile
from playground.train import current
from playground.ui import caches, i18n, state, streamlit_private, uploads
from playground.ui.i18n import KEY, error_text, languages
from playground.ui.state import Field

PARAMETER = "s"
"""In the URL: what a link carries."""

_MOST = 700_000
"""Characters that a tab stores. It sends them along with all that is typed on a page, of which
Streamlit takes as much as ``.streamlit/config.toml`` says."""
_TAB = "tab"
_RESTORED: Field[str | None] = Field("restored last", None)
_ERRORS: Field[list[BPEError]] = Field("errors of the restored state", [])
_PACKED = "packed last"

_tab = browser.component("bpe_tab", "share/tab.js")

SECONDS = 30.0
"""For all tokenizers of a link; the one that exceeds it is the last."""

_CODE = re.compile(r"(own|file|hub|published)-[0-9a-z-]{1,70}|hub:[\w./-]{1,193}", re.ASCII)
"""Tokenizers had codes of the form ``published-…`` and ``hub-…`` in earlier versions."""
_REMOVED = re.compile(
    "(tokenizers=(published-.*|own-research|own-extended)|picture=borders"
    "|question=(tokens|lengths|kinds)|((turn_)?chart|transplant|reach_pattern)=.*"
    "|vocabulary_search_by=regex|(keep|summary|text_pieces|chunk|chunk_model)=.*"
    "|view=files|corpus=counts|prompts=pairs|parallel=files"
    "|(files_(from|switch)(_.*)?|nsl_base|metrics_window)=.*"
    "|(reproduce|vendor_model|comparison_report|research_(recipe|superwords|parity)"
    "|start|new_tokens|mine_price|experiment|changed|both-[0-9a-f]*|dropout|polluted|batch_switch.*"
    "|tree_word|vocabulary_longest|chat_chart|race_text|budget|messages|regions|weights|context"
    "|merge_lower|answer_text_(zh|en)|answer_en|growth|limit|vocabulary_(unit|from|to))=.*"
    "|answers=text|vocabulary_section=longest)",
    re.DOTALL,
)
"""Fields of earlier versions with values that they can no longer have. A link with one is told that
by its page; a session file has the fields of pages that are drawn later."""
_HEAD = 200
"""Bytes in which our own format says that it is."""


def places(steps: Iterable[Any]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for entry in steps:
        match entry:
            case [str(key), str(version), int(step)]:
                fields[f"{state.SLIDER}{key}"] = [version, step]
    return fields


def of(page: str, *, all_pages: bool) -> tuple[State, list[str]]:
    """Return the state of a page, or of all, and the names of tokenizers that it cannot carry."""
    fields = {KEY: i18n.language(), **state.values(all_pages=all_pages)}
    answers = {}
    if all_pages or page == "learn":
        answers = lesson.answers(None if all_pages else fields)
    own = session.own()
    carried: list[OwnTokenizer] = []
    left_out: list[str] = []
    for code in own if all_pages else filter(own.__contains__, state.codes()):
        entry = _carried(code)
        if entry is None or len(carried) == MOST_TOKENIZERS:
            left_out.append(session.label(code))
        else:
            carried.append(entry)
    return State(page, fields, tuple(carried), answers), left_out


def _carried(code: str) -> OwnTokenizer | None:
    """Return how to have a tokenizer again, where that is possible elsewhere."""
    if code.startswith(own_tokenizers.HUB):
        return OwnTokenizer(code, session.label(code))
    made = session.made(code)
    if made is None or made.corpus is None or len(made.corpus.text) > MOST_TEXT:
        return None
    usual = Recipe().as_json()
    recipe = {
        name: value for name, value in made.recipe.as_json().items() if value != usual.get(name)
    }
    return OwnTokenizer(code, session.label(code), recipe, made.corpus)


def _train_all(entries: Iterable[OwnTokenizer]) -> list[BPEError]:
    """Train or fetch tokenizers within the limit of time; return why which are missing.

    A busy server has as much work done as an idle one, if within ten times as long.
    """
    missing = []
    began, until = time.thread_time(), time.monotonic() + 10 * SECONDS
    for entry in entries:
        if time.thread_time() - began > SECONDS or time.monotonic() > until:
            missing.append(_unavailable(entry.name))
            continue
        try:
            _train(entry)
        except BPEError:
            missing.append(own_tokenizers.why_not(entry.code) or _unavailable(entry.name))
    return missing


def restore(restored: State, file: SessionFile | None = None) -> list[BPEError]:
    """Restore a state in this session; return why which tokenizers are missing.

    The values of fields are pending until these are drawn; the language has been set before. A
    tokenizer that is not in the ``file`` is trained or fetched again, which a click may stop.
    """
    contents = file.tokenizers if file else {}
    missing = _train_all([each for each in restored.tokenizers if each.code not in contents])
    made = {entry.code: _made(entry) for entry in restored.tokenizers}
    for code, (name, content) in contents.items():
        try:
            _load(code, name, content, made.get(code))
        except BPEError:
            missing.append(_unavailable(name))
    uploaded = file.uploads if file else ()
    for key in dict(uploaded):
        uploads.put_back(key, [document for other, document in uploaded if other == key])
    lesson.restore(restored.answers)
    fields = {key: value for key, value in restored.fields.items() if key != KEY}
    if file and any(map(_is_removed, fields, fields.values())):
        missing.append(
            BPEError(
                "This session file is from an earlier version and uses a part of the app that has "
                "since been removed. You see everything else."
            )
        )
    state.restore(fields, whole=file is not None)
    state.forget([KEY])
    return missing


def _is_removed(key: str, value: Any) -> bool:
    values = value if isinstance(value, list) else [value]
    return any(_REMOVED.fullmatch(f"{key}={each}") for each in values or [""])


def _unavailable(name: str) -> BPEError:
    return BPEError(
        "The tokenizer “{name}” is not available here: neither its file nor what it was trained on "
        "has come with it, or the link asks for more than {seconds:.0f} seconds of work.",
        name=name,
        seconds=SECONDS,
    )


def _train(entry: OwnTokenizer) -> None:
    if entry.code in session.own():
        return
    if entry.code.startswith(own_tokenizers.HUB):
        own_tokenizers.fetch(entry.code)
        return
    if (made := _made(entry)) is None or not _CODE.fullmatch(entry.code):
        raise _unavailable(entry.name)
    current.train_again(made, entry.name, entry.code)


def _made(entry: OwnTokenizer) -> session.Made | None:
    """Return how a tokenizer was trained; ``None`` where its recipe cannot be."""
    try:
        return session.Made(Recipe.from_json({**Recipe().as_json(), **entry.recipe}), entry.corpus)
    except BPEError:
        return None


def _load(code: str, name: str, content: bytes, made: session.Made | None) -> None:
    if not _CODE.fullmatch(code):
        raise _unavailable(name)
    says_its_name = native.MARK.encode() in content[:_HEAD]
    encoder = files.loads({"tokenizer.json": content}, name=None if says_its_name else name)
    current.restore(code, encoder, name, made)


def in_a_file(page: str) -> tuple[SessionFile, tuple[str, ...]]:
    """Return what a session file holds, and what it cannot: tokenizers and files by their names."""
    gathered, not_in_a_link = of(page, all_pages=True)
    tokenizers: dict[str, tuple[str, bytes]] = {}
    left_out = []
    for code, encoder in session.own().items():
        content = _written(encoder)
        if content is not None and len(tokenizers) < MOST_TOKENIZERS:
            tokenizers[code] = session.label(code), content
        elif session.label(code) in not_in_a_link:
            left_out.append(session.label(code))
    held = uploads.held()
    carried = {document.name for _key, document in held}
    left_out += [name for name in state.files() if name not in carried]
    return SessionFile(gathered, tuple(held), tokenizers), tuple(left_out)


def _written(encoder: Encoder) -> bytes | None:
    """Return a tokenizer in our own format, or as a ``tokenizer.json`` where it has none."""
    try:
        written = files.dumps(
            encoder, "bpe" if "bpe" in files.formats_of(encoder) else "huggingface"
        )
    except BPEError:
        return None
    return next(content for name, content in written.items() if name.startswith("tokenizer."))


# Runs: what comes is restored before a page, and the session stored after it


Incoming = tuple[str, State, SessionFile | None]
"""Letters or a digest that identify what comes, its state, and the file that it came in."""

_INCOMING: Field[Incoming | None] = Field("state to be restored", None)


def read() -> None:
    """Read the state of a link or of the tab, once, and switch to the language of what comes."""
    packed = _packed()
    incoming = _INCOMING.get()
    if incoming is None:
        if packed is None or _RESTORED.get() == packed:
            return
        try:
            _INCOMING.set(incoming := (packed, codec.unpack(packed), None))
        except BPEError as error:
            _done(packed, [error])
            return
    language = incoming[1].fields.get(KEY)
    if isinstance(language, str) and language in languages():
        Field(KEY, "").set(language)


def open_file(data: bytes, digest: str) -> str:
    """Have the next run restore a session file; return the page that it shows."""
    file = session_file.loads(data)
    _INCOMING.set((digest, file.state, file))
    return file.state.page


def _packed() -> str | None:
    """Return the packed state in the URL, and remove it there, or that which the tab has sent."""
    in_url = st.query_params.get(PARAMETER)
    if in_url is None:
        stored = state.component(_TAB, {"stored": str}).get("stored")
        return stored if isinstance(stored, str) else None
    if not state.defer_to_next_run():
        del st.query_params[PARAMETER]
    return in_url


@contextmanager
def around(page: str) -> Iterator[None]:
    """Restore a state before a page runs, and store that of the session after it.

    Above the page stands what of the link could not be restored or is unknown to the page.
    """
    state.begin_notices()
    try:
        _restore()
        yield
        state.say_unread()
        _store(page)
    except streamlit_private.stop_exception():
        _store(page)
        raise
    finally:
        state.end_notices()


def _restore() -> None:
    if (incoming := _INCOMING.get()) is not None:
        identity, restored, file = incoming
        try:
            errors = restore(restored, file)
        except Exception:  # the next run would fail in the same way
            _done(identity, [])
            raise
        _done(identity, errors)
    for error in _ERRORS.get():
        state.say(error_text(error))


def _done(identity: str, errors: list[BPEError]) -> None:
    _RESTORED.set(identity)
    _ERRORS.set(errors)
    _INCOMING.pop()


def _store(page: str) -> None:
    state.end()
    to_store, _left_out = of(page, all_pages=True)
    packed = caches.latest(_PACKED, to_store, lambda: codec.pack(to_store))
    with st.container(key="frame_tab"):
        _tab(
            key=_TAB,
            data={
                "packed": packed if len(packed) <= _MOST else "",
                "ask": _RESTORED.get() is None,
                "again": state.another_run_is_needed(),
            },
            on_stored_change=lambda: None,
            on_ready_change=lambda: None,
        )
