"""The words of the token view, and what a tokenizer does to a text before it cuts it, in words."""

from typing import Any

from bpe.analysis.segmentation import Segmentation
from playground.ui.i18n import _

FORMS = ("NFC", "NFD", "NFKC", "NFKD")


def labels() -> dict[str, Any]:
    return {
        "tokens": _("Tokens of the text"),
        "none": _("No tokens"),
        "count": _("Tokens: {total}"),
        "window": _("Tokens {first}–{last} of {total}"),
        "earlier": _("Earlier tokens"),
        "later": _("Later tokens"),
        "glyphs": _("Show spaces"),
        "beside": _("Ids beside tokens"),
        "list": _("List of ids"),
        "all": _("Show all rows"),
        "explain": _("What the signs mean"),
        "switches": _("Signs and ids"),
        "card": _("Picture to share"),
        "large": _("Large"),
        "largeHint": _("Fill the screen, in type for the last row; Esc goes back"),
        "colourBy": _("Colour the text by {name}"),
        "signs": signs(),
        "hint": _("Click a token, or walk with the arrow keys, to see what it is made of."),
        "token": _("Token {number}"),
        "tokenOf": _("Token {number} of {total}"),
        "id": _("id {id}"),
        "idName": _("Id"),
        "kind": _("Kind"),
        "bytes": _("Bytes"),
        "characters": _("Characters"),
        "byteOf": _("byte {range} of {size} of {character}"),
        "bytesOf": _("bytes {range} of {size} of {character}"),
        "more": _("and {n} more"),
        "made": _("Made by"),
        "merge": _("merge {rank}:"),
        "seen": _("(pair seen {n} times)"),
        "base": _("no merge: a symbol from the start"),
        "stops": _("no merge; merges stop at"),
        "occurs": _("In this text"),
        "corpus": _("In the corpus"),
        "near": _("Beside it in the vocabulary"),
        "once": _("once"),
        "times": _("{n} times"),
        "previous": _("Previous place"),
        "next": _("Next place"),
        "close": _("Close"),
        "kinds": {
            "whole": _("one whole character"),
            "several": _("{n} whole characters"),
            "part": _("part of one character"),
            "mixed": _("several characters, not all of them whole"),
            "bytes": _("bytes that are no character"),
            "special": _("special token"),
            "empty": _("no bytes"),
        },
        "names": {" ": _("space"), "\n": _("line break"), "\t": _("tab")},
    }


def signs() -> list[tuple[str, str, str]]:
    """Return the signs of the view: how each is drawn, the sign, and what it means."""
    return [
        ("token", "中国", _("One token. The colours only tell neighbours apart.")),
        (
            "part",
            "1–2/3 城",
            _("The first two of the three bytes of 城: the rest is in other tokens."),
        ),
        ("same", "中国", _("Grey, side by side: every tokenizer has one token here.")),
        ("control", "E4", _("A byte that belongs to no character; elsewhere written ⟨E4⟩.")),
        ("sign", "·", _("A space.")),
        ("sign", "⏎ →", _("A line break; a tab.")),
        ("sign", "▁", _("A space as SentencePiece writes it.")),
        ("control", "</w>", _("The end of a word, in BPE of characters.")),
        ("special", "<|endoftext|>", _("A special token: a sign for the model, never merged.")),
    ]


def note(segmentation: Segmentation) -> str | None:
    """Say where the text shown is not the text that was entered."""
    match segmentation.change:
        case "normalised":
            message = _("Shown as the tokenizer sees it. Before it cuts a text, it {changes}.")
            return message.format(changes=changes(segmentation.normal_form or ""))
        case "surrogates":
            return _("Half of a surrogate pair has no bytes; U+FFFD stands in its place.")
        case "lossy":
            return _("These tokens spell a text other than the one entered; theirs is shown.")
    return None


def changes(normalises: str) -> str:
    """Return the steps that ``Encoder.normalises`` names, joined by ``+``, as a reader says them.

    Steps that only the author of a file has a name for are called by that name.
    """
    sentences = {
        "leading space": _("puts a space in front"),
        "single spaces": _("makes one space of several and takes away those at the ends"),
        "▁ as space": _("takes ▁ for a space"),
        "white space": _("takes white space for the end of a word"),
        "lowercase": _("makes capitals small letters"),
        "strip-accents": _("takes accents away"),
        "strip-punctuation": _("takes punctuation away"),
        "strip": _("takes white space at the ends away"),
    }
    named = []
    for step in normalises.split("+"):
        if step in sentences:
            named.append(sentences[step])
        elif step in FORMS:
            named.append(_("brings the text to the normal form {form}").format(form=step))
        else:
            named.append(_("normalises the text ({name})").format(name=step))
    return _(", ").join(named)
