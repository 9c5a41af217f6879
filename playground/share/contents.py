"""Gathering what a link or a session file carries of a session, and restoring it in another.

Fields register themselves in :mod:`playground.ui.state`, tokenizers are in
:mod:`playground.session`. What else pages restore they register here: :func:`register`.
"""

import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bpe import files
from bpe.algorithm.recipe import Recipe
from bpe.documents.reader import Document
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from bpe.files import native
from playground import own_tokenizers, session
from playground.share.codec import MOST_TEXT, MOST_TOKENIZERS, OwnTokenizer, State
from playground.share.session_file import SessionFile, Upload
from playground.ui import i18n, state, uploads
from playground.ui.i18n import KEY

SECONDS = 30.0
"""For all tokenizers of a link; the one that exceeds it is the last."""

_CODE = re.compile(r"(own|file|hub|published)-[0-9a-z-]{1,70}|hub:[\w./-]{1,193}", re.ASCII)
"""Tokenizers had codes of the form ``published-…`` and ``hub-…`` in earlier versions."""
_HEAD = 200
"""Bytes in which our own format says that it is."""

Answers = Mapping[str, Mapping[str, Any]]
"""Answers of the course, as in :class:`State`."""


@dataclass(frozen=True)
class Parts:
    """What pages gather and restore by themselves."""

    train: Callable[[session.Made, str, str], object]
    """Trains a tokenizer again, under a name and a code."""
    answers: Callable[[Mapping[str, Any] | None], Answers]
    """Returns the answers of the lesson that these fields show, or of all lessons."""
    restore_answers: Callable[[Answers], object]


_parts: Parts


def register(parts: Parts) -> None:
    """Set what pages gather and restore by themselves, for all sessions of this server."""
    global _parts
    _parts = parts


@dataclass(frozen=True)
class Gathered:
    """A state, and what a link cannot carry: tokenizers and uploaded files by their names."""

    state: State
    tokenizers: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


def of_page(page: str) -> Gathered:
    fields = {KEY: i18n.language(), **state.values(all_pages=False)}
    answers = _parts.answers(fields) if page == "learn" else {}
    return _gathered(page, fields, state.codes(), answers, tuple(state.files()))


def places(steps: Iterable[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for entry in steps:
        match entry:
            case [str(key), str(version), int(step)]:
                found[f"{state.SLIDER}{key}"] = [version, step]
    return found


def of_session(page: str) -> Gathered:
    fields = {KEY: i18n.language(), **state.values(all_pages=True)}
    return _gathered(page, fields, session.own(), _parts.answers(None), ())


def _gathered(
    page: str,
    fields: Mapping[str, Any],
    codes: Iterable[str],
    answers: Answers,
    uploaded: tuple[str, ...],
) -> Gathered:
    carried: list[OwnTokenizer] = []
    left: list[str] = []
    for code in codes:
        if code not in session.own():
            continue
        entry = _carried(code)
        if entry is None or len(carried) == MOST_TOKENIZERS:
            left.append(session.label(code))
        else:
            carried.append(entry)
    return Gathered(State(page, fields, tuple(carried), answers), tuple(left), uploaded)


def _carried(code: str) -> OwnTokenizer | None:
    """Return how to have a tokenizer again, where that is possible elsewhere."""
    if code.startswith(own_tokenizers.HUB):
        return OwnTokenizer(code, session.label(code))
    made = session.made(code)
    if made is None or made.corpus is None or len(made.corpus.text) > MOST_TEXT:
        return None
    usual = Recipe().as_json()
    recipe = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in made.recipe.as_json().items()
        if value != usual.get(name)
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
    for code, content in contents.items():
        name = file.names.get(code, code) if file else code
        try:
            _load(code, name, content, made.get(code))
        except BPEError:
            missing.append(_unavailable(name))
    if file:
        _restore_uploads(file)
    _parts.restore_answers(restored.answers)
    fields = {key: value for key, value in restored.fields.items() if key != KEY}
    state.restore(fields, whole=file is not None)
    state.forget([KEY])
    return missing


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
    if (made := _made(entry)) is None:
        raise BPEError("There is no corpus to train “{name}” on.", name=entry.name)
    _check(entry.code, entry.name)
    _parts.train(made, entry.name, entry.code)


def _made(entry: OwnTokenizer) -> session.Made | None:
    """Return how a tokenizer was trained; ``None`` where its recipe cannot be."""
    try:
        return session.Made(Recipe.from_json({**Recipe().as_json(), **entry.recipe}), entry.corpus)
    except BPEError:
        return None


def _load(code: str, name: str, content: bytes, made: session.Made | None) -> None:
    _check(code, name)
    says_its_name = native.MARK.encode() in content[:_HEAD]
    encoder = files.loads({"tokenizer.json": content}, name=None if says_its_name else name)
    session.restore(code, encoder, name, made)


def _check(code: str, name: str) -> None:
    if not _CODE.fullmatch(code):
        raise BPEError("“{name}” is not the code of a tokenizer in a session.", name=name)


def _restore_uploads(file: SessionFile) -> None:
    by_key: dict[str, list[Document]] = {}
    for upload in file.uploads:
        document = Document(upload.name, upload.texts)
        by_key.setdefault(upload.key, []).append(document)
    for key, documents in by_key.items():
        uploads.put_back(key, documents)


def in_a_file(page: str) -> tuple[SessionFile, tuple[str, ...]]:
    """Return what a session file holds, and what it cannot: tokenizers and files by their names."""
    gathered = of_session(page)
    tokenizers: dict[str, bytes] = {}
    left = []
    for code, encoder in session.own().items():
        content = _written(encoder)
        if content is not None and len(tokenizers) < MOST_TOKENIZERS:
            tokenizers[code] = content
        elif session.label(code) in gathered.tokenizers:
            left.append(session.label(code))
    held = uploads.held()
    carried = {document.name for _key, document in held}
    left += [name for name in state.files() if name not in carried]
    file = SessionFile(
        gathered.state,
        tuple(Upload(key, document.name, document.texts) for key, document in held),
        tokenizers,
        {code: session.label(code) for code in tokenizers},
    )
    return file, tuple(left)


def _written(encoder: Encoder) -> bytes | None:
    """Return a tokenizer in our own format, or as a ``tokenizer.json`` where it has none."""
    try:
        written = files.dumps(
            encoder, "bpe" if "bpe" in files.formats_of(encoder) else "huggingface"
        )
    except BPEError:
        return None
    return next(content for name, content in written.items() if name.startswith("tokenizer."))
