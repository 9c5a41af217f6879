"""What has to be said below figures: notes on prices, old prices, windows that nobody has named."""

from collections.abc import Iterable, Iterator

import streamlit as st

from bpe import pricing
from bpe.pricing import Model, Sentence
from playground.cost import clock
from playground.cost.desk import Desk
from playground.ui.i18n import _, names_joined, plain, sentence

Note = tuple[Model, Sentence]


def below(desk: Desk, said: Iterable[Note]) -> None:
    """Draw notes, each once, with the names of the models that it is about."""
    about: dict[str, list[str]] = {}
    for model, note in said:
        names = about.setdefault(sentence(note), [])
        if desk.names[model.id] not in names:
            names.append(desk.names[model.id])
    if about:
        st.caption(
            "\n".join(
                _("- {models}: {note}").format(models=plain(names_joined(names)), note=plain(text))
                for text, names in about.items()
            )
        )


def of_prices(desk: Desk, models: Iterable[Model], *, batch: bool = False) -> Iterator[Note]:
    """Yield what a single call of each model at this moment would have to say."""
    for model in models:
        bill = pricing.cost(model, pricing.Usage(1), batch=batch, **desk.terms(model))
        for note in (*bill.notes, *model.notes):
            yield model, note


def stale(desk: Desk, models: Iterable[Model]) -> None:
    """Say which prices are older than a month."""
    today = clock.now().date()
    old = {
        f"{desk.names[model.id]} ({model.price_date})"
        for model in models
        if pricing.is_stale(model, today) and not desk.overrides.get(model.id)
    }
    if old:
        st.caption(
            _("Prices older than 30 days: {models}.").format(
                models=plain(names_joined(sorted(old)))
            )
        )


def unknown_window(desk: Desk, models: Iterable[Model]) -> None:
    """Say which models' windows nobody has told us."""
    missing = [desk.names[model.id] for model in models if model.context_window is None]
    if missing:
        st.info(
            _("The context window is not known for: {models}.").format(
                models=plain(names_joined(missing))
            ),
            icon=":material/help:",
        )
