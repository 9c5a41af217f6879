"""Parallel texts out of what translators write: one column of texts for each language.

Read are ``.po``, ``.mo``, ``.tmx``, ``.xliff``, subtitles in two languages (``.srt``), and a ZIP of
text files, one for each language, whose lines belong together (as in FLORES). All are untrusted,
so they are read in a process with limits (:mod:`bpe.sandbox`), which calls :func:`unpacked`; XML
that declares entities is refused. What is not translated is left empty.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import PurePath, PurePosixPath
from typing import Any
from xml.parsers import expat

from bpe import sandbox
from bpe.documents import archive
from bpe.documents.charset import decode
from bpe.documents.tables import Sheet
from bpe.errors import BPEError, from_extra
from bpe.text.unicode import scalar_text

FOLDER: tuple[str, ...] = (".txt", ".dev", ".devtest", ".test")
"""Suffixes of text files of which each is one language."""
SUFFIXES: tuple[str, ...] = (".po", ".mo", ".tmx", ".xliff", ".xlf", ".srt", ".zip")

_MOST_CELLS = 2_000_000
_LANG = "http://www.w3.org/XML/1998/namespace lang"
_CODES = frozenset(
    ("bpt", "ept", "ph", "it", "ut", "x", "bx", "ex", "alt-trans", "seg-source", "ignorable")
)
"""Elements whose text is markup of the translated document, or said elsewhere."""
_TAG = re.compile(r"<[^<>]*>|\{\\[^{}]*\}")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")

_Row = dict[str, str]


def read(data: bytes, filename: str) -> Sheet:
    """Return the languages of a file as columns, each unit of translation as a row."""
    kind = PurePath(filename).suffix.lower()
    (columns, width), cells = sandbox.unpack(
        sandbox.run("bpe.documents.translations:unpacked", data, kind=kind)
    )
    rows = [cells[at : at + width] for at in range(0, len(cells), width)]
    return Sheet(tuple(columns), rows, first_row=1)


def unpacked(data: bytes, *, kind: str) -> bytes:
    """Do the work of :func:`read`: the names of the columns, and the cells row by row, packed."""
    rows = _READERS[kind](data)
    columns = list(dict.fromkeys(language for row in rows for language in row))
    if len(columns) < 2 or not rows:
        raise BPEError("No two languages are in this file.")
    if len(rows) * len(columns) > _MOST_CELLS:
        raise BPEError(
            "This file has {cells} texts; the limit is {limit}. Upload a part of it.",
            cells=f"{len(rows) * len(columns):,}",
            limit=f"{_MOST_CELLS:,}",
        )
    cells = (scalar_text(row.get(language, "")) for row in rows for language in columns)
    return sandbox.pack([columns, len(columns)], cells)


def _gettext(data: bytes) -> list[_Row]:
    with from_extra("documents"):
        import polib
    try:
        if data[:4] in (b"\xde\x12\x04\x95", b"\x95\x04\x12\xde"):
            file: Any = polib.mofile(data, encoding="utf-8")  # type: ignore[call-overload]
        else:
            file = polib.pofile(decode(data).text + "\n")  # with a line break it is no path
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise BPEError("This is no file of gettext, or it is damaged.") from error
    language = file.metadata.get("Language") or "msgstr"
    rows = []
    for entry in file.translated_entries():
        # The last of several forms is the one for many.
        target = entry.msgstr or entry.msgstr_plural[max(entry.msgstr_plural)]
        rows.append({"msgid": entry.msgid_plural or entry.msgid, language: target})
    return rows


class _Xml:
    """Segments of TMX, and sources and targets of XLIFF 1 and 2, as the parser meets them."""

    def __init__(self) -> None:
        self.rows: list[_Row] = []
        self._pieces: list[str] | None = None
        self._skipped = 0
        self._languages = {"source": "source", "target": "target", "seg": ""}

    def read(self, data: bytes) -> list[_Row]:
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.EntityDeclHandler = self._entity
        try:
            parser.Parse(data, True)
        except expat.ExpatError as error:
            raise BPEError(
                "This XML is broken at line {line}, column {column}.",
                line=error.lineno,
                column=error.offset + 1,
            ) from error
        except (LookupError, ValueError) as error:
            if isinstance(error, BPEError):
                raise
            raise BPEError(
                "This XML is broken: its charset is not known, or it is no text."
            ) from error
        return [row for row in self.rows if row]

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        tag = name.rpartition(" ")[2]
        if self._skipped or tag in _CODES:
            self._skipped += 1
        elif tag in ("tu", "trans-unit", "segment"):
            self.rows.append({})
        elif tag == "tuv":
            self._languages["seg"] = attributes.get(_LANG) or attributes.get("lang") or "?"
        elif tag in ("xliff", "file"):
            for end, names in (
                ("source", ("source-language", "srcLang")),
                ("target", ("target-language", "trgLang")),
            ):
                found = (attributes[each] for each in names if each in attributes)
                self._languages[end] = next(found, self._languages[end])
        elif tag in self._languages:
            self._pieces = []

    def _end(self, name: str) -> None:
        tag = name.rpartition(" ")[2]
        if self._skipped:
            self._skipped -= 1
        elif tag in self._languages and self._pieces is not None:
            if self.rows:
                self.rows[-1][self._languages[tag]] = "".join(self._pieces)
            self._pieces = None

    def _characters(self, text: str) -> None:
        if self._pieces is not None and not self._skipped:
            self._pieces.append(text)

    def _entity(self, *_: object) -> None:
        raise BPEError("This XML declares entities, which is not read here.")


def _subtitles(data: bytes) -> list[_Row]:
    rows = []
    for cue in re.split(r"\n\s*\n", decode(data).text.replace("\r", "")):
        _, arrow, said = cue.partition("-->")
        lines = [_TAG.sub("", line).strip() for line in said.split("\n")[1:] if arrow]
        zh = "".join(line for line in lines if _HAN.search(line))
        en = " ".join(line for line in lines if line and not _HAN.search(line))
        if zh and en:
            rows.append({"zh": zh, "en": en})
    return rows


def _folder(data: bytes) -> list[_Row]:
    """Read a file for each language; what has the same name in several folders follows in order."""
    texts: dict[str, list[str]] = {}
    for path, content in sorted(archive.unpack(data, FOLDER).files):
        lines = decode(content).text.replace("\r\n", "\n").removesuffix("\n").split("\n")
        texts.setdefault(PurePosixPath(path).stem, []).extend(lines)
    first = next(iter(texts), "")
    for name, lines in texts.items():
        if len(lines) != len(texts[first]):
            raise BPEError(
                "“{first}” has {lines} lines and “{name}” {others}. Line by line, all must say "
                "the same.",
                first=first,
                lines=len(texts[first]),
                name=name,
                others=len(lines),
            )
    return [dict(zip(texts, row, strict=True)) for row in zip(*texts.values(), strict=True)]


_READERS: Mapping[str, Callable[[bytes], list[_Row]]] = {
    ".po": _gettext,
    ".mo": _gettext,
    ".tmx": lambda data: _Xml().read(data),
    ".xliff": lambda data: _Xml().read(data),
    ".xlf": lambda data: _Xml().read(data),
    ".srt": _subtitles,
    ".zip": _folder,
}
