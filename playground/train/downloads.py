"""Taking a tokenizer away: its files, and how a program loads them."""

import hashlib
from collections.abc import Mapping
from typing import cast

import streamlit as st

from bpe import files as formats
from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from bpe.text import own_pattern
from bpe.text.pretokenize import PATTERNS
from playground.train import current
from playground.ui import fields
from playground.ui.i18n import _, error_text
from playground.ui.streamlit_private import fragment


def snippet(tokenizer: Encoder, format: formats.Format, files: Mapping[str, bytes]) -> str:
    """Return the code that loads the files, by the library that they are for.

    tiktoken caches a file under its name: without its digest it would return another of that name.
    """
    first = next(iter(files))
    match format:
        case "huggingface":
            return (
                f'from tokenizers import Tokenizer\n\ntokenizer = Tokenizer.from_file("{first}")\n'
                'tokenizer.encode("你好", add_special_tokens=False).ids\n'
            )
        case "gpt2":
            add = f"tokenizer.add_special_tokens({list(tokenizer.special_tokens)!r})\n"
            return (
                "from tokenizers import ByteLevelBPETokenizer\n\n"
                'tokenizer = ByteLevelBPETokenizer("vocab.json", "merges.txt")\n'
                f'{add if tokenizer.special_tokens else ""}tokenizer.encode("你好").ids\n'
            )
        case "tiktoken":
            digest = hashlib.sha256(files[first]).hexdigest()
            return (
                "import tiktoken\nfrom tiktoken.load import load_tiktoken_bpe\n\n"
                "tokenizer = tiktoken.Encoding(\n"
                '    "trained",\n'
                f"    pat_str={_expression(tokenizer)!r},\n"
                f'    mergeable_ranks=load_tiktoken_bpe("{first}", "{digest}"),\n'
                f"    special_tokens={dict(tokenizer.special_tokens)!r},\n"
                ")\n"
                'tokenizer.encode("你好")\n'
            )
    return f'import bpe\n\ntokenizer = bpe.load("{first}")\ntokenizer.encode("你好")\n'


def _expression(tokenizer: Encoder) -> str:
    """Return the split pattern as a regular expression."""
    name = tokenizer.pattern or "none"
    if own_pattern.is_own(name):
        return own_pattern.expression(name)
    return PATTERNS.get(name) or r"[\s\S]+"


@fragment
def popover(tokenizer: Encoder, code: str) -> None:
    """Draw the button behind which the downloads are.

    A fragment, so that a choice in it leaves the page and with it the open popover as they are.
    """
    place = st.popover(
        _("Download"), icon=":material/download:", key="downloads", on_change="rerun"
    )
    with place:
        if place.open:
            current.naming(code)
            _files(tokenizer)


def _files(tokenizer: Encoder) -> None:
    names = {
        "huggingface": "Hugging Face (tokenizer.json)",
        "bpe": _("BPE Playground (JSON)"),
        "gpt2": "GPT-2 (vocab.json, merges.txt)",
        "tiktoken": "tiktoken",
    }
    offered = formats.formats_of(tokenizer)
    kinds: dict[str, str] = {format: name for format, name in names.items() if format in offered}
    chosen = fields.select(_("Format"), kinds, key="download_format", in_url=False)
    format = cast(formats.Format, chosen)
    try:
        files = formats.dumps(tokenizer, format)
    except BPEError as error:
        st.warning(error_text(error))
        return
    for name, data in files.items():
        st.download_button(
            _("Download {name}").format(name=name), data, name, icon=":material/download:",
            on_click="ignore", width="stretch",
        )  # fmt: skip
    st.code(snippet(tokenizer, format, files), language="python")
