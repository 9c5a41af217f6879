"""Text out of documents that people write and print: docx and PDF.

Both are untrusted, so both are read in a process of their own (:mod:`bpe.sandbox`),
which calls :func:`read`. What a document holds beside its text is counted, never left out.
"""

import io
import zipfile
from typing import Any
from xml.parsers import expat

from bpe import sandbox
from bpe.errors import BPEError, from_extra

MAX_PAGES = 5_000
MAX_XML = 200 * 2**20
"""The most bytes of XML that a docx may unpack to."""

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main "
_FALLBACK = "http://schemas.openxmlformats.org/markup-compatibility/2006 Fallback"
_BODY = "word/document.xml"
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")


def read(data: bytes, *, kind: str) -> bytes:
    """Return counts (pages, …) by name, and the text of a ``"pdf"`` or ``"docx"``, packed."""
    counted, text = _pdf(data) if kind == "pdf" else _docx(data)
    return sandbox.pack(counted, [text])


def _pdf(data: bytes) -> tuple[dict[str, int], str]:
    with from_extra("documents"):
        from pypdf import PdfReader
        from pypdf.errors import DependencyError, PyPdfError

    locked = BPEError("The PDF is locked with a password. Save it again without one.")
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise locked
        if len(reader.pages) > MAX_PAGES:
            raise BPEError(
                "The PDF has {pages} pages; the limit is {limit}. Upload a part of it.",
                pages=len(reader.pages),
                limit=MAX_PAGES,
            )
        pages = [page.extract_text() for page in reader.pages]
    except DependencyError as error:  # a cipher that is not installed here
        raise locked from error
    except PyPdfError as error:
        raise BPEError("The PDF is broken. Save it again, or upload its text.") from error
    written = [page for page in pages if page.strip()]
    if not written:
        raise BPEError(
            "No page of this PDF holds text: its {pages} pages are pictures, as of a scanner. "
            "Have the text recognised (OCR) first.",
            pages=len(pages),
        )
    text = "\n".join(page.strip("\n") for page in written)
    unknown = sum(map(_is_unknown, text))
    return {
        "pages": len(pages),
        "pages without text": len(pages) - len(written),
        "unknown characters": unknown,
    }, text


def _is_unknown(character: str) -> bool:
    """Whether a font did not say which character a shape is."""
    return character == "\ufffd" or "\ue000" <= character <= "\uf8ff"


def _docx(data: bytes) -> tuple[dict[str, int], str]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            names = set(parts.namelist())
            if _BODY not in names:
                raise BPEError("This is not a Word document: it has no text part.")
            texts = [_word_text(_part(parts, _BODY))]
            notes = [_word_text(_part(parts, name)) for name in _NOTES if name in names]
            pictures = sum(name.startswith("word/media/") for name in names)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError) as error:
        # A document with a password is no ZIP file but an older container.
        raise BPEError(
            "The Word document is broken or locked with a password. Save it again without one."
        ) from error
    text = "\n".join(text for text in [*texts, *notes] if text.strip())
    return {"pictures": pictures}, text


def _part(parts: zipfile.ZipFile, name: str) -> bytes:
    with parts.open(name) as part:
        data = part.read(MAX_XML + 1)
    if len(data) > MAX_XML:
        raise BPEError(
            "The file unpacks to more than {limit} MB. Upload a part of it.", limit=MAX_XML >> 20
        )
    return data


def _word_text(xml: bytes) -> str:
    """Return the text of a part, a line for each paragraph.

    Entities are what bombs are made of, and Word writes none: a document type is refused.
    """
    pieces: list[str] = []
    state: dict[str, Any] = {"text": False, "skipped": 0}

    def start(name: str, attributes: dict[str, str]) -> None:
        if name == _FALLBACK or state["skipped"]:
            state["skipped"] += 1  # the same again for older programs
        elif name == _WORD + "t":
            state["text"] = True
        elif name == _WORD + "tab":
            pieces.append("\t")
        elif name in (_WORD + "br", _WORD + "cr"):
            pieces.append("\n")

    def end(name: str) -> None:
        if state["skipped"]:
            state["skipped"] -= 1
        elif name == _WORD + "t":
            state["text"] = False
        elif name == _WORD + "p":
            pieces.append("\n")

    def characters(text: str) -> None:
        if state["text"] and not state["skipped"]:
            pieces.append(text)

    def document_type(*_: object) -> None:
        raise BPEError("The Word document is broken: Word writes no document type.")

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = document_type
    try:
        parser.Parse(xml, True)
    except expat.ExpatError as error:
        raise BPEError("The Word document is broken. Save it again, or as plain text.") from error
    return "".join(pieces).strip("\n")
