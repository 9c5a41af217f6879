"""Counting at the vendor with the reader's own key, instead of estimating.

The key lives in the session, in a field that is in no URL; it goes to the vendor and nowhere else.
"""

from collections.abc import Mapping, Sequence

import streamlit as st

from bpe import pricing
from bpe.errors import BPEError
from bpe.pricing import Model, TokenCount
from playground.cost import counting
from playground.cost.context import PricingContext
from playground.ui import charts, settings, tables
from playground.ui.i18n import _, error_text

_KEY = "vendor_key"
_MODEL = "vendor_model"
_ASKED = "asked of the vendor"
_OUTCOME = "counts of the vendor"

_Row = tuple[str, int, TokenCount]
"""A language, the tokens of its text by the vendor, and as they are counted here."""


def ask(context: PricingContext, models: Sequence[Model], texts: Mapping[str, str]) -> None:
    able = {model.id: model for model in models if pricing.has_counting_service(model)}
    with st.expander(_("Count at the vendor, with your own key"), icon=":material/key:"):
        st.markdown(
            _(
                "OpenAI, Anthropic and Google count tokens for anyone with a key. Your key is sent "
                "to that vendor only, with these texts; it stays in this session and is neither "
                "stored nor logged."
            )
        )
        if not able:
            st.info(_("None of the chosen models is counted by its vendor."))
            return
        names = {name: context.names[name] for name in able}
        chosen = able[settings.select(_("Model"), names, key=_MODEL)]
        key = st.text_input(
            _("API key of {vendor}").format(vendor=chosen.vendor),
            type="password",
            key=_KEY,
            autocomplete="off",
        )
        left, right = st.columns(2)
        left.button(
            _("Count both texts"),
            disabled=not key,
            width="stretch",
            key="vendor_count",
            on_click=_ask_for,
            args=("count",),
        )
        if chosen.calibration:
            right.button(
                _("Calibrate the estimates"),
                disabled=not key or not all(texts.values()),
                width="stretch",
                help=_("Measures how this vendor counts your two texts, and estimates by that."),
                key="vendor_calibrate",
                on_click=_ask_for,
                args=("calibration",),
            )
        _show_outcome(chosen, names[chosen.id], texts)
        if counting.calibrations():
            st.button(_("Forget the calibration"), on_click=counting.calibrations().clear)


def answer(context: PricingContext, models: Sequence[Model], texts: Mapping[str, str]) -> None:
    """Send to the vendor what a click has just asked for.

    Call it before anything is counted: a calibration changes the estimates.
    """
    asked = st.session_state.get(_ASKED)
    wanted, key = st.session_state.get(_MODEL), st.session_state.get(_KEY)
    model = next((model for model in models if model.id == wanted), None)
    if asked and model and key:
        if asked == "count":
            _count(model, texts, key)
        elif model.calibration:
            _calibrate(context, model, texts, key)
    # Not before: where another run comes in between, that one asks.
    st.session_state.pop(_ASKED, None)


def _ask_for(what: str) -> None:
    st.session_state[_ASKED] = what


def _count(model: Model, texts: Mapping[str, str], key: str) -> None:
    rows = []
    try:
        with st.spinner(_("Asking {vendor}…").format(vendor=model.vendor), show_time=True):
            for language, text in texts.items():
                if text:
                    theirs = pricing.count_at_vendor(model, text, key)
                    ours = counting.count([model], text)[model.id]
                    rows.append((language, theirs.tokens, ours))
    except BPEError as error:
        _keep(model, texts, error)
        return
    _keep(model, texts, rows)


def _calibrate(context: PricingContext, model: Model, texts: Mapping[str, str], key: str) -> None:
    assert model.calibration is not None
    standing = pricing.calibrations()[model.calibration]
    try:
        with st.spinner(_("Asking {vendor}…").format(vendor=model.vendor), show_time=True):
            measured = pricing.recalibrate(
                standing.name,
                lambda text: pricing.count_at_vendor(model, text, key).tokens,
                counting.encoder_for(standing.encoding),
                zh_text=texts["zh"],
                other_text=texts["en"],
                on=context.now.date(),
            )
    except BPEError as error:
        _keep(model, texts, error)
        return
    counting.calibrations()[standing.name] = measured
    st.session_state.pop(_OUTCOME, None)


def _keep(model: Model, texts: Mapping[str, str], outcome: BPEError | list[_Row]) -> None:
    """Keep what came of asking, for as long as the same is asked about."""
    st.session_state[_OUTCOME] = ((model.id, *texts.values()), outcome)


def _show_outcome(model: Model, name: str, texts: Mapping[str, str]) -> None:
    about, outcome = st.session_state.get(_OUTCOME, (None, None))
    if about != (model.id, *texts.values()):
        outcome = None
    for calibration in counting.calibrations().values():
        st.success(
            _(
                "Estimates now use your own measurement: {zh} tokens for each of {encoding} in "
                "Chinese, {other} in English."
            ).format(
                zh=f"{calibration.zh.ratio:.2f}",
                other=f"{calibration.other.ratio:.2f}",
                encoding=calibration.encoding,
            )
        )
    if isinstance(outcome, BPEError):
        st.error(error_text(outcome))
    elif outcome is not None:
        tables.show_rows(
            outcome,
            {
                "model": (tables.text(_("Model")), lambda _row: name),
                "language": (tables.text(_("Language")), lambda row: charts.languages()[row[0]]),
                "vendor": (tables.number(_("Tokens, by the vendor")), lambda row: row[1]),
                "here": (tables.number(_("Tokens, counted here")), lambda row: row[2].tokens),
                "badge": (tables.text(_("Count")), lambda row: counting.badge(row[2])),
            },
            alt_text=_("The vendor's count beside ours, for both texts"),
        )
        st.caption(_("The vendor counts a whole request, with the frame of one message."))
