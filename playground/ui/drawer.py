"""Settings beside a result; on a phone, the result alone, with the settings in a drawer below.

The drawer leaves the upper part of the screen free, so that one sees the result answer. Whether it
is open is the browser's business alone: opening it asks the server nothing.
"""

from typing import Any

import streamlit as st

from playground.ui.i18n import _


def columns(*, result: int = 2) -> tuple[Any, Any]:
    """Return the places for the settings and for the result, so many times as wide.

    Once on a page.
    """
    st.html(_STYLE)
    left, right = st.columns([1, result], gap="large")
    with right:
        _button(data={"open": _("Settings"), "close": _("Show the result")}, key="drawer_button")
    return left.container(key="drawer"), right


_STYLE = """<style>
.st-key-drawer_button { position: absolute; }
@media (max-width: 640px) {
  [data-testid="stColumn"]:has(.st-key-drawer) { position: absolute; min-width: 0; width: 0; }
  .st-key-drawer {
    position: fixed;
    z-index: 90;
    inset: auto 0 0;
    max-height: 66dvh;
    padding: 1rem 1rem 5rem;
    overflow: auto;
    overscroll-behavior: contain;
    background: var(--bpe-paper);
    border-top: 1px solid #8888;
    border-radius: 0.75rem 0.75rem 0 0;
    box-shadow: 0 -0.5rem 2rem #0004;
    visibility: hidden;
    transform: translateY(100%);
    transition: transform 0.2s, visibility 0.2s;
  }
  .st-key-drawer > * { flex-shrink: 0; }
  :root[data-drawer="open"] .st-key-drawer { visibility: visible; transform: none; }
}
</style>"""

_button = st.components.v2.component(
    "bpe_drawer",
    css="""
    button { display: none; }
    @media (max-width: 640px) {
      button { display: block; position: fixed; z-index: 91; inset: auto 1rem 1rem auto;
               min-height: 2.75rem; padding: 0 1.125rem; font: 600 0.9375rem var(--st-font);
               color: #fff; background: #1f5f8b; border: 1px solid #fff6;
               border-radius: 1.375rem; box-shadow: 0 0.125rem 0.75rem #0006; }
      button:focus-visible { outline: 3px solid var(--st-text-color); outline-offset: 2px; }
    }
    """,
    js="""
    export default function ({ data, parentElement }) {
      const root = document.documentElement;
      let button = parentElement.querySelector("button");
      if (!button) {
        button = document.createElement("button");
        button.type = "button";
        button.show = (open) => {
          root.dataset.drawer = open ? "open" : "closed";
          button.textContent = open ? button.words.close : button.words.open;
          button.setAttribute("aria-expanded", open);
          // What is behind the page in the theme's colour, which nothing else outside knows.
          root.style.setProperty(
            "--bpe-paper", getComputedStyle(parentElement.host ?? parentElement)
              .getPropertyValue("--st-background-color"));
        };
        button.onclick = () => button.show(root.dataset.drawer !== "open");
        button.escape = (event) => {
          if (event.key !== "Escape" || root.dataset.drawer !== "open") return;
          button.show(false);
          button.focus();
        };
      }
      button.words = data; // of the language that is read now
      button.show(root.dataset.drawer === "open");
      document.addEventListener("keydown", button.escape);
      parentElement.append(button);
      return () => {
        document.removeEventListener("keydown", button.escape);
        delete root.dataset.drawer;
      };
    }
    """,
)
