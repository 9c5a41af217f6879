"""Why the fast way is fast: how little of the corpus a merge changes, and the clock."""

import time
from collections.abc import Iterator
from itertools import islice

import pandas as pd
import streamlit as st

from bpe import compiled
from bpe.algorithm.recipe import Recipe
from bpe.documents import samples
from bpe.teaching.tables import work
from bpe.text.pretokenize import count_words
from bpe.text.unicode import scalar_text
from bpe.training.algorithms.base import Learner
from bpe.training.train import Training
from playground.editor import plain_text
from playground.learn import asking, corpora
from playground.learn.asking import Verdict, guess, not_yet, solved
from playground.learn.lesson import Lesson
from playground.ui import tables
from playground.ui.i18n import _
from playground.ui.state import Field

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
    _show_race()
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


SIZES = (1_000, 3_000, 10_000, 30_000)
NAIVE_LIMIT = 10_000
"""Characters beyond which the naive learner is not worth a reader's patience."""

TRIES = 3
"""Runs of a fast learner, of which the shortest counts: others share the machine."""

LONGEST_RACED = 100_000
"""Characters of a reader's own text."""

FELT = 100
FELT_BYTES = 130_000
"""Merges and bytes of the run whose length is to be felt."""

_RACED: Field[pd.DataFrame | None] = Field("timing", None)


def _show_race() -> None:
    st.markdown(
        _(
            "Recounting every pair after each merge is the definition, and slow. Visiting only "
            "the places that a merge changes gives the same merges; compiled to machine code, it "
            "does so in real time on real corpora."
        )
    )
    own = plain_text(
        _("On your own text (empty: our samples)"), key="race_text", rows=3, limit=LONGEST_RACED
    )
    if st.button(_("Race them on this machine"), icon=":material/timer:"):
        bar = st.progress(0.0, text=_("Training…"))
        rows = []
        for done, (row, share) in enumerate(_race(own.strip() or _samples()), start=1):
            rows.append(row)
            bar.progress(share, text=_("{done} trainings done").format(done=done))
        bar.empty()
        _RACED.set(pd.DataFrame(rows, columns=["learner", "characters", "seconds"]))
    _feel()
    frame = _RACED.get()
    if frame is not None:
        _table(frame)
        st.markdown(_reading(frame))


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
    data = (_samples() + "\n").encode()
    return (data * (FELT_BYTES // len(data) + 1))[:FELT_BYTES].decode("utf-8", "ignore")


def _samples() -> str:
    """Return our samples, Chinese and English in turn, so that each beginning has both."""
    return "\n".join(f"{pair.zh}\n{pair.en}" for pair in samples.pairs())


def _race(text: str) -> Iterator[tuple[tuple[str, int, float], float]]:
    """Yield ``(learner, characters, seconds)`` and the share of the work that is done."""
    sizes = [size for size in SIZES if size < len(text)] or [max(len(text) // 3, 1)]
    if len(text) < SIZES[-1]:
        sizes = sorted({*sizes, len(text)})
    learners: list[Learner] = ["naive", "incremental"]
    if compiled.ready():
        learners.append("compiled")
    runs = [
        (learner, size)
        for size in sizes
        for learner in learners
        if learner != "naive" or size <= NAIVE_LIMIT
    ]
    for number, (learner, size) in enumerate(runs, start=1):
        tries = 1 if learner == "naive" else TRIES
        seconds = min(_seconds(text[:size], learner) for _try in range(tries))
        yield (learner, size, seconds), number / len(runs)


def _seconds(text: str, learner: Learner) -> float:
    started = time.perf_counter()
    sum(1 for _merge in islice(Training([text], Recipe(merges=MERGES), learner=learner), MERGES))
    return time.perf_counter() - started


def _table(frame: pd.DataFrame) -> None:
    wide = frame.pivot(index="characters", columns="learner", values="seconds").reset_index()
    names = {
        "naive": _("naive: recount everything"),
        "incremental": _("incremental: only what changes"),
        "compiled": _("compiled: the same, in machine code"),
    }
    seconds = {name: tables.number(title, form="%.4f") for name, title in names.items()}
    tables.show(
        wide,
        {"characters": tables.number(_("Characters of corpus")), **seconds},
        alt_text=_("Training time of each learner by size of corpus"),
    )


def _reading(frame: pd.DataFrame) -> str:
    wide = frame.pivot(index="characters", columns="learner", values="seconds")
    row = wide.dropna(subset=["naive"]).iloc[-1]
    text = _(
        "For {merges} merges on {characters} characters, the incremental learner is "
        "{times:.0f} times as fast as the naive one"
    ).format(merges=MERGES, characters=f"{row.name:,}", times=row["naive"] / row["incremental"])
    if "compiled" not in row:
        return text + _(". The compiled one is not ready yet.")
    return text + _(", and the compiled one {times:.0f} times.").format(
        times=row["naive"] / row["compiled"]
    )


LESSON = Lesson("fast", draw, {"merges": MERGES})
