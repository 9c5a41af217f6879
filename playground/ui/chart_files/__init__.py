"""Saving a chart as PNG and SVG, just as the browser has drawn it.

Nothing is drawn again on the server, which would need a JavaScript engine there.
"""

from playground import browser
from playground.ui.i18n import _

_component = browser.component(
    "bpe_chart_files", "ui/chart_files/links.js", "ui/chart_files/links.css"
)


def links(alt_text: str, *, key: str) -> None:
    _component(data={"chart": alt_text, "labels": labels()}, key=key)


def labels() -> dict[str, str]:
    """Return the words of the menu; a picture that is not of Vega can save its data, too."""
    return {
        "menu": _("Save the chart"),
        "PNG": _("Save as PNG"),
        "SVG": _("Save as SVG"),
        "CSV": _("Save the data as CSV"),
    }
