"""Why the fast way is fast: how little of the corpus a merge changes, and the clock."""

import time

import streamlit as st

from bpe.algorithm.recipe import Recipe
from bpe.documents import samples
from bpe.teaching.tables import work
from bpe.text.pretokenize import count_words
from bpe.text.unicode import scalar_text
from bpe.training.train import Training
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
    st.markdown(f"**{_('And by the clock')}**")
    st.markdown(
        _(
            "Recounting every pair after each merge is the definition, and slow. Visiting only "
            "the places that a merge changes gives the same merges; compiled to machine code, it "
            "does so in real time on real corpora."
        )
    )
    _feel()
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


FELT = 100
FELT_BYTES = 130_000
"""Merges and bytes of the run whose length is to be felt."""


def _feel() -> None:
    """Let the reader wait as long as the definition takes on the lecture's 130 KB."""
    if not st.button(
        _("Try the slow way: the definition on 130 KB"), icon=":material/hourglass_top:"
    ):
        return
    text = lecture_text()
    bar = st.progress(0.0, text=_("Counting every pair, again and again…"))
    started = time.perf_counter()
    # White space and words are one row of symbols, so that nothing is counted once for many.
    recipe = Recipe(pattern="none", merges=FELT)
    for done, _merge in enumerate(Training([text], recipe, learner="naive"), start=1):
        seconds = time.perf_counter() - started
        bar.progress(
            done / FELT,
            text=_(
                "Merge {done} of {all}, {seconds:.1f} seconds so far. Any button or choice ends it."
            ).format(done=done, all=FELT, seconds=seconds),
        )
    waited = time.perf_counter() - started
    started = time.perf_counter()
    for _merge in Training([text], recipe, learner="incremental"):
        pass
    fast = time.perf_counter() - started
    bar.empty()
    st.markdown(
        _(
            "{waited:.1f} seconds for {merges} merges of {size} KB; visiting only what changes "
            "took {fast:.1f}. A popular tutorial waited about 7 seconds. A vocabulary of 10,000 on "
            "hundreds of megabytes would be some hundred thousand times as much."
        ).format(waited=waited, merges=FELT, size=FELT_BYTES // 1000, fast=fast)
    )


def lecture_text() -> str:
    """Return our samples over and over, cut at as many bytes as the lecture's corpus has."""
    # Chinese and English in turn, so that each beginning has both.
    data = "".join(f"{pair.zh}\n{pair.en}\n" for pair in samples.pairs()).encode()
    return (data * (FELT_BYTES // len(data) + 1))[:FELT_BYTES].decode("utf-8", "ignore")


LESSON = Lesson("fast", draw, {"merges": MERGES})
