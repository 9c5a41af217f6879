"""Scripts and kinds of tokens in the reader's language."""

from playground.ui.i18n import _


def scripts() -> dict[str, str]:
    """Return the scripts in the reader's language."""
    return {
        "han": _("汉字"),
        "latin": _("Latin"),
        "kana": _("Kana"),
        "hangul": _("Hangul"),
        "cyrillic": _("Cyrillic"),
        "arabic": _("Arabic"),
        "other": _("another script"),
        "mixed": _("several scripts"),
        "digits": _("digits"),
        "signs": _("signs"),
        "space": _("white space"),
        "none": _("no whole character"),
    }


def kinds() -> dict[str, str]:
    """Return the kinds of tokens in the reader's language."""
    return {
        "character": _("one character"),
        "several": _("several characters"),
        "partial": _("with parts of characters"),
        "special": _("special"),
        "empty": _("no bytes"),
    }
