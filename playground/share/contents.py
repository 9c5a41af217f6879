"""What a session holds that another can have: gathered for a link or a file, and taken up again."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bpe import files
from bpe.encoders.base import Encoder
from bpe.encoders.character import CharacterTokenizer
from bpe.encoders.extended import ExtendedTokenizer
from bpe.encoders.trained import Tokenizer
from bpe.errors import BPEError
from bpe.files import native
from bpe.text.corpus import Document
from bpe.training.recipe import Recipe
from playground import published, session
from playground.learn import lesson
from playground.merge_view import STEP
from playground.share.codec import MOST_TEXT, MOST_TOKENIZERS, OwnTokenizer, State
from playground.share.session_file import SessionFile, Upload
from playground.train import corpus, job, saved
from playground.ui import i18n, restorable, uploads
from playground.ui.i18n import KEY

_CODE = re.compile(r"(own|file|hub|published)-[0-9a-z-]{1,70}")
_HEAD = 200
"""Bytes in which our own format says that it is."""
_LESSON, _SHEET, _FIRST_LESSON = "lesson", "sheet", "why"


@dataclass(frozen=True)
class Gathered:
    """A state, and what a link cannot carry: tokenizers and uploaded files by their names."""

    state: State
    tokenizers: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


def of_page(page: str) -> Gathered:
    """Return what one needs to see this page as it is."""
    fields = {KEY: i18n.language(), **restorable.values(all_pages=False)}
    answers: Mapping[str, Mapping[str, Any]] = {}
    if page == "learn":
        open_lesson = str(fields.get(_LESSON, _FIRST_LESSON))
        answers = lesson.progress().answers(None if open_lesson == _SHEET else open_lesson)
    return _gathered(page, fields, restorable.codes(), answers, tuple(restorable.files()))


def places(steps: Iterable[Any]) -> dict[str, Any]:
    """Return the fields of the sliders of pictures."""
    found: dict[str, Any] = {}
    for entry in steps:
        match entry:
            case [str(key), str(version), int(step)]:
                found[f"{STEP}{key}"] = [version, step]
    return found


def of_session(page: str) -> Gathered:
    """Return what one needs to go on with everything that was done here."""
    fields = {KEY: i18n.language(), **restorable.values(all_pages=True)}
    return _gathered(page, fields, session.own(), lesson.progress().answers(), ())


def _gathered(
    page: str,
    fields: Mapping[str, Any],
    codes: Iterable[str],
    answers: Mapping[str, Mapping[str, Any]],
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
    digest = published.digest_of(code)
    made = session.made(code)
    if made is None or made.corpus is None or len(made.corpus.text) > MOST_TEXT:
        return OwnTokenizer(code, session.label(code), published=digest) if digest else None
    usual = Recipe().as_json()
    recipe = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in made.recipe.as_json().items()
        if value != usual.get(name)
    }
    return OwnTokenizer(code, session.label(code), recipe, made.corpus, digest)


def take_up(state: State, file: SessionFile | None = None) -> list[str]:
    """Make a state that was brought the reader's own; return the tokenizers that cannot be had.

    Fields are only laid out for where they are drawn, the language has been set before. A tokenizer
    that is not in the ``file`` is trained again, which a click may stop.
    """
    contents = file.tokenizers if file else {}
    missing = []
    for entry in state.tokenizers:
        try:
            if entry.code not in contents:
                _train(entry)
        except BPEError:
            missing.append(entry.name)
    made = {entry.code: _made(entry) for entry in state.tokenizers}
    for code, content in contents.items():
        name = file.names.get(code, code) if file else code
        try:
            _load(code, name, content, made.get(code))
        except BPEError:
            missing.append(name)
    if file:
        _put_back(file)
    lesson.restore(state.answers)
    fields = {key: value for key, value in state.fields.items() if key != KEY}
    restorable.restore(fields, whole=file is not None)
    restorable.restored(KEY)
    return missing


def _train(entry: OwnTokenizer) -> None:
    if entry.code in session.own():
        return
    if entry.corpus is None and entry.published:
        _fetch(entry)
        return
    found = corpus.of(entry.corpus) if entry.corpus else None
    made = _made(entry)
    if found is None or made is None:
        raise BPEError("There is no corpus to train “{name}” on.", name=entry.name)
    trained = job.train(found.texts, made.recipe)
    saved.save_for_good(
        session.keep_trained(trained.tokenizer, trained.corpus_digest, entry.name, made)
    )


def _fetch(entry: OwnTokenizer) -> None:
    """Keep a published tokenizer under the code that the fields of the link know it by."""
    if entry.code.startswith(published.CODE):
        published.load(entry.code.removeprefix(published.CODE))
        return
    _check(entry.code, entry.name)
    session.keep_again(entry.code, published.fetch(entry.published), entry.name, None)
    saved.save_for_good(entry.code)


def _made(entry: OwnTokenizer) -> session.Made | None:
    """Return how a tokenizer was trained; ``None`` where its recipe cannot be."""
    try:
        return session.Made(Recipe.from_json({**Recipe().as_json(), **entry.recipe}), entry.corpus)
    except BPEError:
        return None


def _load(code: str, name: str, content: bytes, made: session.Made | None) -> None:
    _check(code, name)
    says_its_name = native.FORMAT.encode() in content[:_HEAD]
    encoder = files.loads({"tokenizer.json": content}, name=None if says_its_name else name)
    session.keep_again(code, encoder, name, made)
    saved.save_for_good(code)


def _check(code: str, name: str) -> None:
    if not _CODE.fullmatch(code):
        raise BPEError("“{name}” is not called as a tokenizer of a session is.", name=name)


def _put_back(file: SessionFile) -> None:
    by_key: dict[str, list[Document]] = {}
    for upload in file.uploads:
        document = Document(upload.name, upload.texts, "utf-8", guessed=False)
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
    left += [name for name in restorable.files() if name not in carried]
    file = SessionFile(
        gathered.state,
        tuple(Upload(key, document.name, document.texts) for key, document in held),
        tokenizers,
        {code: session.label(code) for code in tokenizers},
    )
    return file, tuple(left)


def _written(encoder: Encoder) -> bytes | None:
    """Return a tokenizer in our own format, or as a ``tokenizer.json`` where it has none."""
    if not isinstance(encoder, Tokenizer | CharacterTokenizer | ExtendedTokenizer):
        from bpe.encoders.tokenizer_json import TokenizerJsonEncoder

        if not isinstance(encoder, TokenizerJsonEncoder):
            return None
    ours: files.Format = (
        "bpe" if isinstance(encoder, Tokenizer | CharacterTokenizer) else "huggingface"
    )
    try:
        written = files.dumps(encoder, ours)
    except BPEError:
        return None
    return next(content for name, content in written.items() if name.startswith("tokenizer."))
