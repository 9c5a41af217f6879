"""What a tokenizer does to a text before it cuts it, in words."""

from collections.abc import Callable

FORMS = ("NFC", "NFD", "NFKC", "NFKD")


def in_words(normalises: str, _: Callable[[str], str]) -> str:
    """Return the steps that ``Encoder.normalises`` names, joined by ``+``, as a reader says them.

    Steps that only the author of a file has a name for are called by that name.
    """
    known = {
        "leading space": _("puts a space in front"),
        "single spaces": _("makes one space of several and takes away those at the ends"),
        "▁ as space": _("takes ▁ for a space"),
        "white space": _("takes white space for the end of a word"),
        "lowercase": _("makes capitals small letters"),
        "strip-accents": _("takes accents away"),
        "strip-punctuation": _("takes punctuation away"),
        "strip": _("takes white space at the ends away"),
    }
    said = []
    for step in normalises.split("+"):
        if step in known:
            said.append(known[step])
        elif step in FORMS:
            said.append(_("brings the text to the normal form {form}").format(form=step))
        else:
            said.append(_("normalises the text ({name})").format(name=step))
    return _(", ").join(said)
