"""What has to be said below figures: notes on prices, sources, and how tokens were counted."""

from collections.abc import Iterable, Mapping

import streamlit as st

from bpe import pricing
from bpe.pricing import Model, Sentence
from playground.costs import clock
from playground.costs.desk import Desk
from playground.texts import _, plain, sentence


def below(said: Iterable[tuple[str, Sentence]]) -> None:
    """Draw notes, each once, with the names of the models that it is about."""
    about: dict[str, list[str]] = {}
    for name, note in said:
        names = about.setdefault(sentence(note), [])
        if name not in names:
            names.append(name)
    if about:
        st.caption(
            "\n".join(
                _("- {models}: {note}").format(models=plain(", ".join(names)), note=plain(text))
                for text, names in about.items()
            )
        )


def of_prices(desk: Desk, models: Iterable[Model], names: Mapping[str, str]) -> None:
    """Draw what a single call of each model at this moment would have to say."""
    usage = pricing.Usage(1)
    below(
        (names[model.id], note)
        for model in models
        for note in (*desk.bill(model, usage).notes, *model.notes)
    )


def stale(desk: Desk, models: Iterable[Model], names: Mapping[str, str]) -> None:
    """Say which prices are older than a month."""
    today = clock.now().date()
    old = {
        f"{names[model.id]} ({model.price_date})"
        for model in models
        if pricing.is_stale(model, today) and not desk.overrides.get(model.id)
    }
    if old:
        st.caption(
            _("Prices older than 30 days: {models}.").format(models=plain(", ".join(sorted(old))))
        )


def unknown_window(models: Iterable[Model], names: Mapping[str, str]) -> None:
    """Say which models' windows nobody has told us."""
    missing = [names[model.id] for model in models if model.context_window is None]
    if missing:
        st.info(
            _("The context window is not known for: {models}.").format(
                models=plain(", ".join(missing))
            ),
            icon=":material/help:",
        )
