"""One editor for every page: a text whose tokens are coloured while one types.

The browser keeps the text and draws; after each edit it sends the text, and :func:`editor` answers
with the bytes of each token, of which only those around the change are cut anew. To keep a rerun
small, call it in a fragment of the page::

    @fragment
    def picture() -> None:
        typed = editor("Your sentence", encoder, key="sentence", default="…")
        if typed.settled:
            st.rerun()  # now all that costs more follows

The text is in ``Field(key, "")``, where a page may also put another one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from bpe.analysis.segmentation import Segmentation
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from bpe.text.unicode import scalar_text
from playground import browser
from playground.token_view import words
from playground.ui import caches, i18n, state
from playground.ui.i18n import _
from playground.ui.state import Field

LIMIT = 100_000
"""UTF-16 units that an editor takes; of a longer paste it takes the beginning."""

_component = browser.component("bpe_editor", "editor/editor.js", "editor/editor.css")


@dataclass(frozen=True)
class Typed:
    """The text of an editor, with its tokens."""

    text: str
    cut: Segmentation | None
    """Its tokens; ``None`` where the encoder cannot encode it, which the editor then says."""
    coloured: bool
    """Whether the text has the colours of its tokens: not where they spell another one."""
    settled: bool
    """Whether the reader has just paused after an edit."""
    before: str | None = None
    """The text before the last edit, to which the cache knows the tokens."""
    place: int = 0
    """Where the last edit was, in characters."""


@dataclass
class _Held:
    """One editor, as far as the server knows."""

    text: str
    limit: int
    revision: int = 0
    """How often the page has put another text into it."""
    number: int = 0
    """Which edit of the browser ``text`` is."""
    before: str | None = None
    """The text before that edit."""
    place: int = 0
    """Where the caret stood after it, in characters."""
    settled: int = 0
    paused: bool = False
    wanted: bool = True
    """Whether the browser must be given the text."""
    fresh: bool = True
    """Whether nothing was heard of it yet in this session."""


def editor(
    label: str,
    encoder: Encoder | None,
    *,
    key: str,
    name: str = "",
    default: str = "",
    placeholder: str = "",
    rows: int = 7,
    limit: int = LIMIT,
    restore: bool = True,
    delay: float | None = None,
    on_edit: Callable[[], None] | None = None,
) -> Typed:
    """Draw a text to edit, coloured by its tokens, and return it with them.

    ``name`` is what the tokenizer is called. Before the first edit it holds ``default``. ``rows``
    is how many lines are seen at once at most; ``limit`` how long a text may be. ``restore`` gives
    back what was typed before the page was loaded again. An edit is sent at once, or ``delay``
    seconds after its last key, and then never settles. ``on_edit`` is called before the rerun that
    an edit causes, when the field of ``key`` has the new text already, and once more at the pause
    after the last one.
    """
    field = Field(key, default, state.words(limit))
    if restore:
        came = field.pending is not None or field.get() != default
        field.unbound()
    held = _held(key, default, limit)
    if restore and came:
        held.fresh = False
    cut, note = None, None
    if encoder is not None:
        try:
            cut = caches.segmentation(encoder, held.text, after=held.before)
        except BPEError as error:
            note = i18n.sentence(error)
    sizes = None if cut is None else _sizes(cut, held.text)
    if cut is not None and sizes is None:
        note = words.note(cut)
    _component(
        key=_box(key),
        data={
            "label": label,
            "revision": held.revision,
            "number": held.number,
            "text": held.text if held.wanted else None,
            "fresh": held.fresh and restore,
            "store": f"bpe text {key}",
            "settled": held.settled,
            "sizes": sizes,
            "count": _count(cut, held.text, name),
            "note": note,
            "limit": limit,
            "delay": None if delay is None else round(1000 * delay),
            "rows": rows,
            "labels": {"placeholder": placeholder, "tooLong": _too_long(coloured=delay is None)},
        },
        on_edit_change=lambda: _edited(key, on_edit),
        on_settled_change=lambda: _pause(key, on_edit),
    )
    settled, held.paused = held.paused, False
    return Typed(held.text, cut, sizes is not None, settled, held.before, held.place)


def plain_text(label: str, *, rows: int = 5, delay: float = 0.4, **options: Any) -> str:
    """Draw a text to edit, without colours, and return it; an edit comes ``delay`` seconds after
    its last key, or when the reader turns to something else. ``options`` are those of an editor.

    Beside :func:`streamlit.text_area`, no key has to be pressed to say that a text is complete.
    """
    return editor(label, None, rows=rows, delay=delay, **options).text


def text_of(key: str) -> str:
    """Return what an editor holds, before or without drawing it."""
    return Field(key, "").get()


def _box(key: str) -> str:
    return f"{key} editor"


def _field(key: str) -> Field[_Held | None]:
    return Field(f"{key} held", None)


def _held(key: str, default: str, limit: int) -> _Held:
    """Return what is known of an editor, after a look at what the page has put into it."""
    text = scalar_text(Field(key, default).stored())
    field = _field(key)
    if (held := field.get()) is None:
        field.set(held := _Held(text, limit))
    elif held.text != text:
        held.text, held.before = text, None
        held.revision += 1
        held.wanted = True
    edit = _sent(key).get("edit", {})
    if edit.get("revision") != held.revision:
        held.wanted = True  # a new window, or a text that the browser has not got
    return held


def _sent(key: str) -> dict[str, Any]:
    edit = {"text": str, "revision": int, "number": int, "at": int}
    return state.component(_box(key), {"edit": edit, "settled": int})


def _edited(key: str, on_edit: Callable[[], None] | None) -> None:
    edit = _sent(key).get("edit", {})
    held = _field(key).get()
    if held is None or edit.get("revision") != held.revision:
        return
    text = edit.get("text")
    held.wanted = text is None
    if text is None:
        return
    text = scalar_text(text)[: held.limit]
    held.fresh = False
    held.number, held.place = edit.get("number", held.number), edit.get("at", 0)
    if text != held.text:
        held.before, held.text = held.text, text
        Field(key, "").set(text)
        if on_edit is not None:
            on_edit()


def _pause(key: str, on_edit: Callable[[], None] | None) -> None:
    """Take note of a pause after an edit.

    What the edit has changed on the page is changed again: where the page answers late, the browser
    sends the choices of before along with the pause, and they would undo it.
    """
    sent = _sent(key)
    settled, edit = sent.get("settled"), sent.get("edit", {})
    held = _field(key).get()
    if held is None or settled is None or settled == held.settled:
        return
    held.settled, held.paused = settled, True
    is_last = edit.get("revision") == held.revision and held.number == held.settled
    if on_edit is not None and is_last and "text" in edit:
        on_edit()


def _sizes(cut: Segmentation, text: str) -> list[int] | None:
    """Return how many bytes of ``text`` each token has; ``None`` where it spells another text.

    A space put in front, or the end of a word behind, has none.
    """
    data = text.encode()
    sizes: list[int] = np.diff(np.asarray(cut.starts, np.int64)).tolist()
    if cut.data == data:
        return sizes
    spelled, plain = _folded(cut.data), _folded(data)
    if spelled.startswith(b" ") and spelled[1:] == plain:
        sizes[0] -= 1
    elif spelled.endswith(b" ") and spelled[:-1] == plain:
        sizes[-1] -= 1
    elif spelled != plain:
        return None
    return sizes


def _folded(data: bytes) -> bytes:
    """Return bytes with what may change without changing their number: white space and capitals."""
    return data.lower().translate(_AS_SPACE)


_AS_SPACE = bytes.maketrans(b"\n\t", b"  ")


def _too_long(*, coloured: bool) -> str:
    if not coloured:
        return _("That makes {all} characters; the first {most} are taken.")
    return _(
        "That makes {all} characters; the first {most} are taken. "
        "The command counts longer texts whole: bpe count FILE."
    )


def _count(cut: Segmentation | None, text: str, name: str) -> str | None:
    if cut is None:
        return None
    tokens = _("1 token") if len(cut) == 1 else _("{n} tokens").format(n=f"{len(cut):,}")
    characters = (
        _("1 character") if len(text) == 1 else _("{n} characters").format(n=f"{len(text):,}")
    )
    return " · ".join(filter(None, (tokens, characters, name)))
