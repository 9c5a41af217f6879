"""The words of the field, in both languages; every page opens them."""

import streamlit as st

from playground.ui.i18n import _, language, plain


def button() -> None:
    """Draw the button that opens the glossary over the page; for its end."""
    label = _("Glossary")
    if st.button(label, key="glossary", icon=":material/menu_book:", type="tertiary"):
        st.dialog(label, width="medium")(show)()


def show() -> None:
    """Draw the words with what they mean."""
    st.markdown(
        "\n".join(
            f"- **{word}** ({other}){_(': ')}{plain(meaning)}" for word, other, meaning in words()
        )
    )


def words() -> list[tuple[str, str, str]]:
    """Return each word, the same in the other language, and what it means."""
    found = [
        ("token", "词元", _("What a model reads: a piece of text with a number.")),
        ("vocabulary", "词表", _("All tokens of a tokenizer, with their numbers.")),
        ("merge", "合并", _("Two symbols written as one from now on; what BPE learns.")),
        ("rank", "序号", _("The place of a merge in the list; the lowest is made first.")),
        ("pre-token", "预分词片段", _("A piece that no merge reaches across.")),
        ("special token", "特殊词元", _("A sign for the model, as <|endoftext|>; never merged.")),
        ("byte", "字节", _("A number from 0 to 255; a 汉字 has three in UTF-8.")),
        ("unknown token", "未知词元", _("<unk>: stands for all that the vocabulary lacks.")),
        ("fertility", "词元率", _("Tokens per word, or per 汉字.")),
        ("premium", "溢价", _("Tokens in Chinese for each token of the same text in English.")),
        ("micro average", "微平均", _("All texts taken together: long ones count for more.")),
        ("macro average", "宏平均", _("The mean of the texts' own values: each counts the same.")),
        ("NSL", "归一化长度", _("Tokens of a text divided by those of another tokenizer.")),
        ("context window", "上下文窗口", _("How many tokens a model can read at once.")),
        ("encode, decode", "编码、解码", _("From text to ids, and back.")),
    ]  # fmt: skip
    return [
        (zh, en, meaning) if language() == "zh" else (en, zh, meaning) for en, zh, meaning in found
    ]
