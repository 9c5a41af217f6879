"""The code that gives the same number: with our library, and with the vendor's own."""

from collections.abc import Mapping

import streamlit as st

from bpe.analysis.metrics import Premium
from bpe.encoders.base import Encoder
from playground import session
from playground.compare.languages import parallel
from playground.compare.languages.parallel import ParallelTexts
from playground.ui import settings
from playground.ui.i18n import _

_TIKTOKEN = ("o200k_base", "o200k_harmony", "cl100k_base", "gpt2")
_HUB = {
    "deepseek_v3": "deepseek-ai/DeepSeek-V3",
    "qwen3": "Qwen/Qwen3-8B",
    "qwen3_5": "Qwen/Qwen3.6-27B",
    "glm4": "zai-org/GLM-4.5",
    "glm5": "zai-org/GLM-5",
    "kimi_k2": "moonshotai/Kimi-K2-Instruct",
    "llama3": "meta-llama/Meta-Llama-3-8B",
    "gemma3": "google/gemma-3-1b-it",
    "gemma2": "google/gemma-2-2b-it",
    "mistral_v3": "mistralai/Mistral-Nemo-Instruct-2407",
    "mistral_v2": "mistralai/Mistral-7B-v0.3",
    "mistral_v1": "mistralai/Mistral-7B-v0.1",
    "llama2": "meta-llama/Llama-2-7b-hf",
}
"""Where a vendor publishes its tokenizer."""
_REMOTE_CODE = ("kimi_k2",)
"""Those that are code which the repository brings along."""


def show(
    encoders: Mapping[str, Encoder], texts: ParallelTexts, found: Mapping[str, Premium]
) -> None:
    counted = {code: session.short(code) for code in encoders if session.short(code) in found}
    with st.expander(_("The code that reproduces this number"), icon=":material/code:"):
        code = settings.select(_("Tokenizer"), counted, key="reproduce")
        encoder, figure = encoders[code], found[counted[code]]
        left, right = st.columns(2)
        with left:
            st.caption(_("With this library"))
            st.code(ours(encoder, texts, figure), language="python")
        theirs = vendors(encoder, texts, figure)
        if theirs:
            with right:
                st.caption(_("With the vendor's own"))
                st.code(theirs, language="python")


def ours(encoder: Encoder, texts: ParallelTexts, figure: Premium) -> str:
    loaded = (
        f'bpe.encoding("{encoder.name}")'
        if encoder.provenance == "catalogue"
        else 'bpe.load("tokenizer.json")'
    )
    return "\n".join(
        [
            "import bpe",
            *_pairs(texts),
            "from bpe.analysis.metrics import premium",
            "",
            f"encoder = {loaded}",
            "found = premium((encoder.count(zh), encoder.count(en)) for zh, en in pairs)",
            f"print(found.micro, found.macro)  # {figure.micro:.4f} {figure.macro:.4f}",
        ]
    )


def vendors(encoder: Encoder, texts: ParallelTexts, figure: Premium) -> str | None:
    if encoder.provenance != "catalogue":
        return None
    name = encoder.name
    if name in _TIKTOKEN:
        loading = ["import tiktoken", "", f'tokenizer = tiktoken.get_encoding("{name}")']
        count = "len(tokenizer.encode_ordinary(text))"
    elif name in _HUB:
        more = ", trust_remote_code=True" if name in _REMOTE_CODE else ""
        loading = [
            "from transformers import AutoTokenizer",
            "",
            f'tokenizer = AutoTokenizer.from_pretrained("{_HUB[name]}"{more})',
        ]
        count = "len(tokenizer.encode(text, add_special_tokens=False))"
    else:
        return None
    return "\n".join(
        [
            *_pairs(texts),
            *loading,
            f"counts = [[{count} for text in pair] for pair in pairs]",
            "zh, en = map(sum, zip(*counts))",
            f"print(zh / en)  # {figure.zh_tokens} / {figure.en_tokens} = {figure.micro:.4f}",
        ]
    )


def _pairs(texts: ParallelTexts) -> list[str]:
    match texts.source:
        case parallel.PASTED | parallel.FILES:
            return [
                "from pathlib import Path",
                "from bpe.documents import parallel_texts",
                "",
                'pairs = parallel_texts.from_texts(*(Path(f"{name}.txt").read_text() '
                'for name in ("zh", "en")))',
            ]
        case parallel.TABLE:
            return [
                "from pathlib import Path",
                "from bpe.documents import parallel_texts",
                "",
                'file = Path("pairs.csv")  # your file; zh_column= and en_column= name its columns',
                "pairs = parallel_texts.from_table(file.read_bytes(), file.name)",
            ]
        case parallel.TRADITIONAL:
            found = '[(pair.zh_hant, pair.en) for pair in samples.pairs("news")]'
        case parallel.ALL:
            found = "[(pair.zh, pair.en) for pair in samples.pairs()]"
        case domain:
            found = f'[(pair.zh, pair.en) for pair in samples.pairs("{domain}")]'
    return ["from bpe.documents import samples", "", f"pairs = {found}"]
