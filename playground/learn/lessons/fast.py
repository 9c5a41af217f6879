"""Why the fast way is fast: how little of the corpus a merge changes, and the clock."""

import json

import streamlit as st

from bpe.algorithm.recipe import Recipe
from bpe.teaching.tables import Work, work
from bpe.text.pretokenize import count_words
from bpe.text.unicode import scalar_text
from playground.learn import asking, corpora, race
from playground.learn.asking import Verdict
from playground.learn.guess import Column, guess
from playground.learn.lesson import Lesson, progress
from playground.ui.i18n import _

MERGES = 200
_AT = (1, 10, 50, 100, 200)
_CODE = "fast.share"
_LONGEST = 500


def draw() -> None:
    st.markdown(
        _(
            "The definition counts **every** pair again after **every** merge. A popular "
            "tutorial waited 7 seconds for 130 KB that way; hundreds of megabytes would take "
            "hours, and with a larger vocabulary days. But a merge changes only the pairs "
            "beside the places where it happens. How much of the corpus is that? **Place "
            "your guess** in percent, for five of the first {merges} merges."
        ).format(merges=MERGES)
    )
    placed = guess(
        [Column(_("merge {step}").format(step=step), "") for step in _AT],
        shares,
        key="fast guess",
        most=100.0,
        unit="%",
        placed=progress().numbers(_CODE),
    )
    if placed is not None:
        progress().bets.setdefault(_CODE, json.dumps([round(value) for value in placed]))
        counted, looked = (sum(numbers) for numbers in zip(*_work(), strict=True))
        st.markdown(
            _(
                "Over {merges} merges of our samples the definition counts **{counted}** "
                "neighbours, the incremental learner looks at **{looked}**: one in {times}. The "
                "merges are the same, to the last one. These numbers do not depend on the machine."
            ).format(
                merges=MERGES, counted=f"{counted:,}", looked=f"{looked:,}",
                times=round(counted / looked),
            )
        )  # fmt: skip
    st.markdown(f"**{_('And by the clock')}**")
    race.show()
    _puzzle()


@st.cache_resource(show_spinner=False)
def _work() -> list[Work]:
    return work(count_words([corpora.sample_text()], corpora.PATTERN), Recipe(merges=MERGES))


@st.cache_data(show_spinner=False)
def shares() -> list[float]:
    merges = _work()
    return [100 * merges[step - 1].visited / merges[step - 1].recounted for step in _AT]


def _puzzle() -> None:
    def check(answer: str) -> Verdict:
        text = scalar_text(answer[:_LONGEST])
        if len(text) < 10:
            return Verdict(False, _("At least ten characters, please."))
        first = work(count_words([text], corpora.PATTERN), Recipe(merges=1))
        if not first:
            return Verdict(False, _("There is no pair in this text."))
        counted, looked = first[0]
        values = {"looked": looked, "counted": counted}
        if looked >= counted:
            return Verdict(
                True,
                _(
                    "It looks {looked} times, the definition counts {counted}: no gain at all."
                ).format(**values),
            )
        return Verdict(
            False, _("It looks {looked} times, the definition counts {counted}.").format(**values)
        )

    asking.puzzle(
        "fast.worst",
        _(
            "Make the fast learner slow: write at least ten characters of which the first merge "
            "makes it look at as many places as the definition counts."
        ),
        _("Your text"),
        check,
    )


LESSON = Lesson("fast", lambda: _("Why the fast way is fast"), draw, minutes=4, branch=True)
