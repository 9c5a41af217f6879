"""Putting a trained tokenizer on the Hugging Face Hub, by the reader's own token.

The token is taken out of its field before anything is drawn, and is nowhere once the push is over.
"""

from typing import Any

import streamlit as st

from bpe.analysis import metrics
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from bpe.files import push
from playground.ui import progress
from playground.ui.i18n import _, error_text, plain

_TOKEN = "hub_token"
_ONCE = "token for one push"
_ANSWER = "what became of the push"

_SECONDS = 120.0


def form(tokenizer: Encoder, identity: str, name: str) -> None:
    if "huggingface" not in tokenizer.formats:
        return
    with (
        st.expander(_("To the Hugging Face Hub"), icon=":material/cloud_upload:"),
        st.form("push to the Hub", border=False),
    ):
        repository = st.text_input(
            _("Repository"), placeholder=_("your-name/small-chinese"), max_chars=200
        )
        st.text_input(
            _("Your access token, with the right to write"),
            type="password",
            key=_TOKEN,
            max_chars=500,
            help=_("It is used for this push alone, and neither stored nor logged."),
        )
        is_public = st.checkbox(_("Everybody may see it"))
        update = st.checkbox(_("The repository exists: change its files"))
        sent = st.form_submit_button(_("Upload"), width="stretch", on_click=_take_token)
        token = st.session_state.pop(_ONCE, "")
        if sent:
            st.session_state[_ANSWER] = (identity, _push(
                tokenizer, name, (repository or "").strip(), token,
                private=not is_public, update=update,
            ))  # fmt: skip
        token = ""
        of, answer = st.session_state.get(_ANSWER, ("", None))
        if of == identity:
            _say(answer)


def _take_token() -> None:
    st.session_state[_ONCE] = st.session_state.get(_TOKEN) or ""
    st.session_state[_TOKEN] = ""


def _push(
    tokenizer: Encoder, name: str, repository: str, token: str, *, private: bool, update: bool
) -> str | BPEError:
    steps = {
        "measuring": _("Measuring the tokenizer…"),
        "creating": _("Making the repository…"),
        "uploading": _("Sending the files…"),
    }
    place = st.empty()
    shown: list[str] = []

    def say(step: str) -> None:
        if shown[-1:] != [step]:
            shown.append(step)
            place.progress(len(shown) / 4, text=steps[step])
        else:
            progress.checkpoint()

    try:
        return push.to_hub(
            tokenizer,
            repository,
            token=token,
            title=name,
            private=private,
            update=update,
            timeout=_SECONDS,
            measure=metrics.as_markdown,
            on_step=say,
        )
    except BPEError as error:
        return error
    finally:
        place.empty()


def _say(answer: Any) -> None:
    if isinstance(answer, BPEError):
        st.error(error_text(answer))
    elif answer:
        st.success(_("Uploaded: {address}").format(address=plain(answer)))
