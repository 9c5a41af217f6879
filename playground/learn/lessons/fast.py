"""Why the fast way is fast: how little of the corpus a merge changes, and the clock."""

import streamlit as st

from bpe.algorithm.recipe import Recipe
from bpe.teaching.tables import work
from bpe.text.pretokenize import count_words
from bpe.text.unicode import scalar_text
from playground.learn import asking, corpora
from playground.learn.asking import Verdict, guess, not_yet, solved
from playground.learn.lesson import Lesson
from playground.ui.i18n import _

MERGES = 200
_AT = (1, 10, 50, 100, 200)
_LONGEST = 500


def draw() -> None:
    columns = [(_("merge {step}").format(step=step), "") for step in _AT]
    if guess("fast.share", columns, shares, most=100.0, unit="%"):
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
    st.markdown(
        _(
            "Recounting every pair after each merge is the definition, and slow. Visiting only "
            "the places that a merge changes gives the same merges; compiled to machine code, it "
            "does so in real time on real corpora."
        )
    )
    asking.puzzle("fast.worst", _check)


@st.cache_resource(show_spinner=False)
def _work() -> list[tuple[int, int]]:
    return work(count_words([corpora.sample_text()], corpora.PATTERN), Recipe(merges=MERGES))


@st.cache_data(show_spinner=False)
def shares() -> list[float]:
    merges = (_work()[step - 1] for step in _AT)
    return [100 * looked / counted for counted, looked in merges]


def _check(answer: str) -> Verdict:
    text = scalar_text(answer[:_LONGEST])
    if len(text) < 10:
        return not_yet(_("At least ten characters, please."))
    first = work(count_words([text], corpora.PATTERN), Recipe(merges=1))
    if not first:
        return not_yet(_("There is no pair in this text."))
    counted, looked = first[0]
    values = {"looked": looked, "counted": counted}
    if looked >= counted:
        verdict = _("It looks {looked} times, the definition counts {counted}: no gain at all.")
        return solved(verdict, **values)
    return not_yet(_("It looks {looked} times, the definition counts {counted}."), **values)


LESSON = Lesson("fast", draw, {"merges": MERGES})
