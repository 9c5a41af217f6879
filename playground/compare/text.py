"""The same meaning under many tokenizers: counted, charted, told in words."""

import pandas as pd
import streamlit as st

from bpe.encoder import Encoder
from bpe.errors import BPEError
from bpe.metrics import bytes_per_token, count_tokens, partial_utf8_rate, tokens_per_hanzi
from playground import library, settings
from playground.texts import _, error_text

DEFAULT = ("o200k_base", "cl100k_base", "deepseek_v3", "qwen3")


def choose_tokenizers(key: str) -> dict[str, Encoder]:
    """Draw the choice of tokenizers and return the loaded ones by name.

    One that cannot be loaded is said to be missing, and left out.
    """
    own = list(library.own())
    chosen = settings.several(
        _("Tokenizers"),
        {code: library.label(code) for code in library.codes()},
        key=key,
        default=[*own[-1:], *DEFAULT],
        placeholder=_("Choose at least one"),
    )
    encoders: dict[str, Encoder] = {}
    for name in chosen:
        try:
            encoders[name] = library.encoder(name)
        except BPEError as error:
            st.error(error_text(error))
    return encoders


def measure(encoders: dict[str, Encoder], texts: dict[str, str]) -> pd.DataFrame:
    """Return a row for each tokenizer and language ("zh", "en"): tokens and ratios.

    A tokenizer that cannot encode a text (an unseen character) is left out, and this is said.
    """
    rows = []
    for code, encoder in encoders.items():
        name = library.short(code)
        for language, text in texts.items():
            try:
                rows.append(
                    {
                        "tokenizer": name,
                        "language": language,
                        "tokens": count_tokens(encoder, text),
                        "bytes_per_token": bytes_per_token(encoder, [text]),
                        "tokens_per_hanzi": tokens_per_hanzi(encoder, [text]),
                        "partial": partial_utf8_rate(encoder, [text]),
                    }
                )
            except BPEError as error:
                st.error(f"{name}: {error_text(error)}")
    columns = ["tokenizer", "language", "tokens", "bytes_per_token", "tokens_per_hanzi", "partial"]
    return pd.DataFrame(rows, columns=columns)


def premiums(measured: pd.DataFrame) -> pd.DataFrame:
    """Return Chinese tokens for each English one, for tokenizers that have counted both."""
    wide = measured.pivot(index="tokenizer", columns="language", values="tokens")
    if not {"zh", "en"} <= set(wide.columns):
        return pd.DataFrame(columns=["tokenizer", "premium"])
    wide = wide[(wide["zh"] > 0) & (wide["en"] > 0)]
    premium = (wide["zh"] / wide["en"]).rename("premium").reset_index()
    return premium.sort_values("premium", ignore_index=True)


def reading(premium: pd.DataFrame) -> str:
    """Say in words which tokenizer treats Chinese best and worst."""
    if premium.empty:
        return ""
    least, most = premium.iloc[0], premium.iloc[-1]
    sentence = _(
        "For these texts, {name} spends {premium:.2f} tokens in Chinese for each one in English"
    )
    text = sentence.format(name=least["tokenizer"], premium=least["premium"])
    if least["tokenizer"] == most["tokenizer"]:
        return text + _(".")
    return text + _("; {name} spends {premium:.2f}.").format(
        name=most["tokenizer"], premium=most["premium"]
    )


def table(measured: pd.DataFrame, order: list[str]) -> None:
    """Draw the counts and ratios of every tokenizer, a row each."""
    wide = measured.pivot(index="tokenizer", columns="language").reindex(order)
    rows = pd.DataFrame({"tokenizer": wide.index})
    for column, language in (
        ("tokens", "zh"),
        ("tokens", "en"),
        ("tokens_per_hanzi", "zh"),
        ("bytes_per_token", "zh"),
        ("bytes_per_token", "en"),
        ("partial", "zh"),
    ):
        if (column, language) in wide:
            rows[f"{column}_{language}"] = wide[column, language].to_numpy()
    number = st.column_config.NumberColumn
    st.dataframe(
        rows,
        hide_index=True,
        lazy=False,
        column_config={
            "tokenizer": st.column_config.TextColumn(_("Tokenizer")),
            "tokens_zh": number(_("Tokens, Chinese"), format="localized"),
            "tokens_en": number(_("Tokens, English"), format="localized"),
            "tokens_per_hanzi_zh": number(_("Tokens per 汉字"), format="%.2f"),
            "bytes_per_token_zh": number(_("Bytes per token, Chinese"), format="%.2f"),
            "bytes_per_token_en": number(_("Bytes per token, English"), format="%.2f"),
            "partial_zh": number(
                _("Tokens with partial characters, Chinese"),
                format="percent",
                help=_("Share of tokens that are not whole characters on their own."),
            ),
        },
        alt=_("Token counts and ratios of each tokenizer"),
    )
