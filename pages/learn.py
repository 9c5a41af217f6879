"""Learn: the whole algorithm in three small functions, run on the reader's own words."""

import inspect

import pandas as pd
import streamlit as st

from bpe.algorithm import basic
from playground.learn import race
from playground.learn import rounds as lesson
from playground.ui import navigation, settings, tables
from playground.ui.i18n import _, plain

navigation.through_app()

st.markdown(
    _(
        "A model reads numbers, so text has to be cut into pieces that have numbers. Words are too "
        "many, characters say too little. Byte pair encoding (BPE) finds pieces in between: start "
        "from the smallest symbols, and again and again make one symbol of the two that stand "
        "next to each other most often."
    )
)

inputs, output = st.columns([1, 2], gap="large")

with inputs:
    text = st.text_area(
        _("Words, separated by spaces"),
        lesson.EXAMPLE,
        key="lesson_words",
        height=110,
        max_chars=lesson.LONGEST,
        persist_state="session",
    )
    unit = settings.segments(
        _("Start from"),
        {"characters": _("characters"), "bytes": _("bytes")},
        key="unit",
    )
    tie_break = settings.select(
        _("Among equally frequent pairs, take"),
        {
            "first-seen": _("the one seen first"),
            "lexicographic": _("the greatest in byte order"),
        },
        key="lesson_ties",
    )
    rounds = lesson.rounds((text or "")[: lesson.LONGEST], unit, tie_break)
    if len(rounds) < 2:
        st.info(_("Type at least one word of two letters; then there is a pair to merge."))
        st.stop()
    step = st.slider(_("Round"), 1, len(rounds) - 1, key="round", bind="query-params")

now = rounds[step - 1]
with output:
    st.markdown(
        _(
            "**Count** each pair of neighbours, **choose** the most frequent, **merge** it "
            "everywhere."
        )
    )
    st.markdown(
        _(
            "Round {round}: {left} and {right} stand together {count} times and become {new}."
        ).format(
            round=step,
            left=f"**{plain(now.show(now.pair[0]))}**",
            right=f"**{plain(now.show(now.pair[1]))}**",
            count=now.counts[now.pair],
            new=f"**{plain(now.show(now.pair[0] + now.pair[1]))}**",
        )
    )
    counted, words = st.columns([2, 3])
    with counted:
        most = sorted(now.counts.items(), key=lambda item: -item[1])[:12]
        tables.show(
            pd.DataFrame(
                [(f"{now.show(left)} {now.show(right)}", count) for (left, right), count in most],
                columns=["pair", "count"],
            ),
            {"pair": tables.text(_("Pair")), "count": tables.number(_("Times seen"))},
            alt_text=_("The most frequent pairs of this round"),
        )
    with words:
        tables.show(
            pd.DataFrame(
                [
                    (" ".join(map(now.show, before)), " ".join(map(now.show, after)))
                    for (before, _n), (after, _m) in zip(now.words, rounds[step].words, strict=True)
                ],
                columns=["before", "after"],
            ),
            {"before": tables.text(_("Before")), "after": tables.text(_("After"))},
            alt_text=_("The words as symbols, before and after the merge"),
        )

st.subheader(_("The code that just ran"))
st.markdown(
    _(
        "These three functions are the algorithm. The trainers of this app do the same, faster, "
        "and are tested to give the same merges."
    )
)
for function in (basic.count_pairs, basic.best_pair, basic.merge_pair):
    with st.expander(f"`{function.__name__}`"):
        st.code(inspect.getsource(function), language="python")

st.subheader(_("Why the fast way is fast"))
race.show()
