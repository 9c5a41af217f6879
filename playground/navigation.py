"""The header with the links to the pages; a page opened by itself starts over with ``app.py``."""

import streamlit as st

from playground.share import control
from playground.ui import fields, frame, streamlit_private
from playground.ui.i18n import KEY, _, language_of_browser, languages, plain
from playground.ui.state import Field

_CAME = Field("came through app.py", False)
_ASKED = Field("page that was asked for last", "")
_DEFAULT = "train"


def header() -> st.Page:
    """Draw the header (product's name, pages, link, language); return the page that was asked for.

    The links to the pages stand in the page, as on a phone Streamlit's own navigation opens over it
    and stays there after a choice.
    """
    _CAME.set(True)
    with st.container(
        key="header",
        horizontal=True,
        horizontal_alignment="distribute",
        vertical_alignment="center",
    ):
        links = st.container(
            key="links", horizontal=True, vertical_alignment="center", gap="xsmall", width="content"
        )
        right = st.container(
            key="frame_right", horizontal=True, vertical_alignment="center", gap="small",
            width="content",
        )  # fmt: skip
        with right:
            place = st.container(width="content")
            _choose_language()
        frame.translate()
    pages = _pages()
    page = st.navigation([*pages, *_missing(pages)], position="hidden")
    _say_address_after_back()
    with links:
        st.markdown("**BPE** **Playground**", width="content")
        for link in pages:
            st.page_link(link, width="content")
    with place:
        control.draw(page.url_path)
    return page


def question(page: st.Page) -> str:
    """Return what a page asks, behind its name, which the header shows and this is read aloud."""
    return f"*{page.title}{_(': ').strip()}* {page.help}" if page.help else page.title


def start_over_once() -> None:
    """Start the first run of a server's life over, as all others begin.

    In it Streamlit takes ``app.py`` for a page of its older kind, whose widgets are others than
    those of the next run: a click that the browser sends in between would be lost.
    """
    if streamlit_private.is_first_run_of_server():
        st.navigation(_pages(), position="hidden")
        st.rerun()


def through_app() -> None:
    """Start over with ``app.py`` if this run has not come from it; page and URL stay the same.

    Until ``st.navigation`` has been called once in a server's life, Streamlit takes the folder
    ``pages/`` for its older kind of app: a link straight to a page then runs that page alone.
    """
    if not _CAME.pop():
        st.navigation(_pages(), position="hidden")
        st.rerun()


def _choose_language() -> None:
    fields.segments(
        "语言 / Language",
        languages(),
        key=KEY,
        default=language_of_browser(),
        label_visibility="collapsed",
    )


def _say_address_after_back() -> None:
    """Send the browser the URL that Back or Forward led to, once more.

    A run of the page that was left may have written its own settings over it meanwhile.
    """
    if streamlit_private.after_back():
        st.query_params.update({})


def _missing(pages: list[st.Page]) -> list[st.Page]:
    """Return a page for the name in the URL if there is none, which says so.

    Streamlit's own message is in English and in front of everything.
    """
    name = streamlit_private.intended_page()
    if name == _DEFAULT:
        # That page stands at the root; its own name is reserved, and no page may have it.
        streamlit_private.intend_first_page()
        return []
    # The runs after the first one know the page by its hash alone.
    _ASKED.set(name := name or _ASKED.get())
    if not name or "/" in name or any(page.url_path == name for page in pages):
        return []

    def say() -> None:
        _CAME.pop()
        st.info(
            _("There is no page “{name}” here. Choose one of those above.").format(
                name=plain(name)
            ),
            icon=":material/link_off:",
        )

    return [st.Page(say, title=_("Page not found"), url_path=name)]


def _pages() -> list[st.Page]:
    return [
        st.Page(
            f"pages/{_DEFAULT}.py",
            title=_("Train"),
            help=_("Watch BPE grow a vocabulary out of **256 bytes**."),
            default=True,
        ),
        st.Page(
            "pages/compare.py",
            title=_("Compare"),
            help=_("How does each tokenizer cut a text, and how does **Chinese** fare?"),
        ),
        st.Page(
            "pages/cost.py",
            title=_("Cost"),
            help=_("What does this text **cost** on each model, and does it fit?"),
        ),
        st.Page(
            "pages/learn.py",
            title=_("Learn"),
            help=_("How BPE works, run live on **your own words**."),
        ),
    ]
