"""Chinese against English: tokens per 汉字, the premium, and what it does to window and bill."""

import pandas as pd
import streamlit as st

from bpe.analysis.metrics import count_hanzi
from bpe.encoders import catalog
from bpe.teaching.puzzles import cheaper_in_chinese
from playground import session
from playground.editor import editor, text_of
from playground.learn import asking, corpora
from playground.learn.asking import Answer, Verdict, guess, not_yet, solved
from playground.learn.lesson import Lesson
from playground.ui import tables
from playground.ui.i18n import _
from playground.ui.streamlit_private import fragment

LONGEST = 2_000
SIZES = (1_000, 8_000, 32_000)
"""Vocabularies that are trained on our samples."""

_HELD_OUT = (
    "奶奶家的院子里有一棵枣树，每年秋天，枝头挂满红红的果子。放学以后，我和弟弟搬来木梯，一个人爬上去摇，"
    "另一个人在下面捡。奶奶总是站在门口笑着喊：慢一点，别摔着。后来我们去城里读书，那棵树还在，"
    "只是再也没有人爬上去了。"
)
_KEYS = ("chinese_zh", "chinese_en")
_PAIRS = {
    asking.BRIDGE: (asking.BRIDGE, "The Nanjing Yangtze River Bridge"),
    asking.TOWERS: ("新塔缓慢下降。", asking.TOWERS),
}
_PRODUCTION = ("llama2", "cl100k_base", "deepseek_v3")
_COMPARED = ("llama2", "cl100k_base", "llama3", "o200k_base", "qwen3", "deepseek_v3")
_WINDOW = 128_000
_IDS = 24
"""Ids of a sentence that are shown."""


def draw() -> None:
    _curve()
    zh, en = _texts()
    if zh and en:
        _premium(zh, en)
    else:
        st.info(_("Type a sentence in both languages."))
    asking.puzzle("chinese.cheaper", _check)


def _curve() -> None:
    columns = [
        *((_("our samples"), f"{size:,}") for size in SIZES),
        *(
            (session.short(name), f"{catalog.facts(name).vocabulary_size:,}")
            for name in _PRODUCTION
        ),
    ]
    st.markdown(f"**{_('Tokens per Chinese character, by tokenizer and size of its vocabulary')}**")
    if not guess("chinese.curve", columns, per_hanzi, most=4.0):
        return
    small, ours, _largest, llama, gpt, deepseek = per_hanzi()
    st.markdown(
        _(
            "Measured on a text that none of them was made for. Our samples are {size} KB: from "
            "{small:.2f} at {first} entries they come down to {ours:.2f} at {second}, and there "
            "they **run out**: asked for {third}, training ends after {merges} merges, as every "
            "pre-token is whole. A larger vocabulary needs more text."
        ).format(
            size=round(len(corpora.sample_text().encode()) / 1000),
            first=f"{SIZES[0]:,}", second=f"{SIZES[1]:,}", third=f"{SIZES[2]:,}",
            small=small, ours=ours, merges=f"{len(corpora.trained(SIZES[2]).merges):,}",
        )
        + "\n\n"
        + _(
            "And more **of what**: Llama 2 has {size} entries and still spends {llama:.1f} tokens "
            "on a Chinese character, GPT-4 with three times as many {gpt:.1f}, DeepSeek "
            "{deepseek:.2f}. What a tokenizer was trained on matters more than how large it is."
        ).format(
            size=f"{catalog.facts('llama2').vocabulary_size:,}",
            llama=llama, gpt=gpt, deepseek=deepseek,
        )
    )  # fmt: skip


@st.cache_data(show_spinner=False)
def per_hanzi() -> list[float]:
    """Return the tokens per 汉字 of a text of our own that nothing here was trained on."""
    tokens = [
        *(corpora.trained(size).count(_HELD_OUT) for size in SIZES),
        *(len(catalog.encoding(name).encode(_HELD_OUT)) for name in _PRODUCTION),
    ]
    return [number / count_hanzi(_HELD_OUT) for number in tokens]


def _texts() -> tuple[str, str]:
    st.markdown(f"**{_('Your sentence, in both languages')}**")
    for column, label, default, key in zip(
        st.columns(2), (_("Chinese"), _("English")), _pair(asking.sentence()), _KEYS, strict=True
    ):
        with column:
            _text(label, default, key)
    zh, en = map(text_of, _KEYS)
    return zh, en


def _pair(sentence: str) -> tuple[str, str]:
    """Return a sentence in both languages; of a reader's own one, what is left to translate."""
    return _PAIRS.get(sentence) or ((sentence, "") if count_hanzi(sentence) else ("", sentence))


@fragment
def _text(label: str, default: str, key: str) -> None:
    """Draw one text in the colours of GPT-4o's tokens; the counts follow after a pause."""
    encoder = catalog.encoding("o200k_base")
    typed = editor(
        label, encoder, key=key, name=encoder.name, default=default, limit=LONGEST, rows=3
    )
    if typed.cut is not None and len(typed.cut):
        shown = " ".join(map(str, typed.cut.ids[:_IDS]))
        more = " …" if len(typed.cut) > _IDS else ""
        st.caption(_("What the model gets: {ids}").format(ids=shown + more))
    if typed.settled:
        st.rerun()


def _premium(zh: str, en: str) -> None:
    rows: list[tuple[str, int, int, float]] = []
    for name in _COMPARED:
        encoder = catalog.encoding(name)
        in_zh, in_en = (len(encoder.encode(text, disallowed_special=())) for text in (zh, en))
        rows.append((session.short(name), in_zh, in_en, in_zh / in_en))
    frame = pd.DataFrame(rows, columns=["tokenizer", "zh", "en", "premium"])

    def answer() -> Answer:
        fewer = [name for name, _zh, _en, premium in rows if premium < 1]
        if not fewer:
            return {"none"}, _("With none of these, for this sentence.")
        why = _("Fewer in Chinese with: {names}.").format(names=", ".join(fewer))
        return {"all" if len(fewer) == len(rows) else "some"}, why

    if not asking.bet("chinese.dearer", answer):
        return
    tables.show(
        frame,
        {
            "tokenizer": tables.text(_("Tokenizer")),
            "zh": tables.number(_("Chinese")),
            "en": tables.number(_("English")),
            "premium": tables.number(_("Chinese ÷ English"), form="%.2f"),
        },
        alt_text=_("Chinese tokens for each English one, by tokenizer"),
    )
    first, old, _en_old, one = rows[0]
    last, new, _en_new, other = rows[-1]
    st.markdown(
        _(
            "A window of {window} tokens holds this Chinese sentence {old} times with {first}, and "
            "{new} times with {last}. A bill counts the same tokens: at the same price per token, "
            "Chinese costs {one:.2f} times the English with {first}, {other:.2f} times with {last}."
        ).format(
            window=f"{_WINDOW:,}", old=f"{_WINDOW // old:,}", new=f"{_WINDOW // new:,}",
            first=first, last=last, one=one, other=other,
        )
    )  # fmt: skip
    with st.container(horizontal=True):
        for page, label, icon in (
            ("compare", _("Open both in Compare"), ":material/compare_arrows:"),
            ("cost", _("See what they cost"), ":material/payments:"),
        ):
            if st.button(label, key=f"to {page}", icon=icon):
                session.own_text(session.SIDES)
                session.side("zh").set(zh)
                session.side("en").set(en)
                st.switch_page(f"pages/{page}.py", query_params={"sample": "own"})


def _check(answer: str) -> Verdict:
    zh, _bar, en = (part.strip() for part in answer.partition("="))
    encoder = catalog.encoding("cl100k_base")
    chinese, english, in_their_scripts = cheaper_in_chinese(encoder, zh, en)
    if count_hanzi(zh) < 4 or not in_their_scripts:
        return not_yet(_("Chinese of at least four characters, then =, then the same in English."))
    values = {"zh": chinese, "en": english}
    if chinese < english:
        return solved(_("Chinese {zh}, English {en} tokens: it can be done."), **values)
    verdict = _(
        "Chinese {zh}, English {en} tokens. Try a saying: four characters that English has to "
        "spell out."
    )
    return not_yet(verdict, **values)


LESSON = Lesson("chinese", draw)
