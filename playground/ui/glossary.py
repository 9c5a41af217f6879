"""The words of the field, in both languages; every page opens them."""

import streamlit as st

from bpe.errors import translatable
from playground.ui.i18n import ENGLISH, _, language, plain, translated


def button() -> None:
    label = _("Glossary")
    if st.button(label, key="glossary", icon=":material/menu_book:", type="tertiary"):
        st.dialog(label, width="medium")(show)()


def show() -> None:
    st.markdown(
        "\n".join(
            f"- **{word}** ({other}){_(': ')}{plain(meaning)}" for word, other, meaning in words()
        )
    )


def words() -> list[tuple[str, str, str]]:
    """Return each word, its English (for English its Chinese, as in the notes), and its meaning."""
    found = [
        (translatable("token"), _("What a model reads: a piece of text with a number.")),
        (translatable("vocabulary"), _("All tokens of a tokenizer, with their numbers.")),
        (translatable("merge"), _("Two symbols written as one from now on; what BPE learns.")),
        (translatable("rank"), _("The place of a merge in the list; the lowest is made first.")),
        (translatable("pre-token"), _("A piece that no merge reaches across.")),
        (translatable("special token"), _("A sign for the model, as <|endoftext|>; never merged.")),
        (translatable("byte"), _("A number from 0 to 255; most Chinese characters take three "
                                 "in UTF-8.")),
        (translatable("unknown token"),
         _("Written <unk>; stands for all that the vocabulary lacks.")),
        (translatable("fertility"), _("Tokens per word, or per Chinese character.")),
        (translatable("premium"),
         _("Tokens in Chinese for each token of the same text in English.")),
        (translatable("micro average"), _("All texts taken together: long ones count for more.")),
        (translatable("macro average"),
         _("The mean of the texts' own values: each counts the same.")),
        (translatable("NSL"), _("Tokens of a text divided by those of another tokenizer.")),
        (translatable("context window"), _("How many tokens a model can read at once.")),
        (translatable("encode, decode"), _("From text to ids, and back.")),
    ]  # fmt: skip
    return [
        (word, translated(word, "zh"), meaning)
        if language() == ENGLISH
        else (_(word), str(word), meaning)
        for word, meaning in found
    ]
