"""The parts of the Train page: on a wide screen the settings beside the picture and what follows
it, on a phone the picture first, then the settings, then the rest."""

from typing import Any

import streamlit as st

from playground.ui import frame

# On a phone the column on the right is none: its parts go around the settings. The picture has its
# room until it is drawn, so that nothing below it moves: it is there with the style in it.
_STYLE = """<style>
[data-testid="stLayoutWrapper"]:has(> :is(.st-key-train_settings, .st-key-train_rest)),
.st-key-train_settings, .st-key-train_rest { height: auto; overflow: visible; }
:has(> .st-key-train_picture) { min-height: 43rem; }
.st-key-train_numbers { min-height: 4rem; }
.st-key-train_picture:has(.st-key-training) > :not(:has(.st-key-training)),
[data-testid="stColumn"]:has(.st-key-training) .st-key-train_rest { opacity: 0.45; }
.training-film p { display: flex; gap: 0.25rem; margin: 0; overflow: hidden; white-space: pre; }
.training-film span { flex: none; padding-inline: 0.25rem; border: 1px solid #8888; }
.training-film div { display: flex; align-items: end; gap: 1px; height: 3rem; margin: 0.5rem 0; }
.training-film i { flex: 0 1 0.75rem; background: #3f87b8; }
@media (max-width: 640px) {
  .st-key-train_parts > * > [data-testid="stHorizontalBlock"] { flex-flow: column nowrap; }
  [data-testid="stColumn"]:has(.st-key-train_picture),
  [data-testid="stColumn"]:has(.st-key-train_picture) > [data-testid="stVerticalBlock"] {
    display: contents;
  }
  :has(> .st-key-train_picture) { order: -1; min-height: 39rem; }
  .st-key-train_picture { min-height: inherit; }
  .st-key-train_picture > :has(> .st-key-train_numbers) { order: 2; margin-top: auto; }
  .st-key-merge_table [data-testid="stExpanderDetails"] { padding: 0; }
}
:has(> .st-key-train_picture):has(.st-key-explorer [data-drawn], [data-testid="stAlert"]),
:root[data-over] :has(> .st-key-train_picture):has([data-drawn]) { min-height: 0; }
</style><span class="style-in-place" hidden></span>"""


def parts() -> tuple[Any, Any, Any, Any]:
    """Return the places for the settings, the size and numbers, the picture, and the rest."""
    with st.container(key="train_parts"):
        left, right = st.columns([1, 2], gap="large")
    settings = frame.hidden_until_styled("train_settings", left)
    picture = right.container(key="train_picture")
    picture.html(_STYLE)
    numbers = picture.container(
        key="train_numbers", horizontal=True, gap="medium", vertical_alignment="bottom"
    )
    return settings, numbers, picture, frame.hidden_until_styled("train_rest", right)
