"""The table of models: all that we can price, by id, with what we know about each.

The bundled table is a constant of this version. A fresher one (``network.py``) is another value of
the same kind and replaces nothing by itself.
"""

from dataclasses import dataclass, field
from datetime import date
from difflib import get_close_matches
from functools import cache

from bpe.errors import BPEError
from bpe.pricing import bundled
from bpe.pricing.own import completed, own_models
from bpe.pricing.records import Model


@dataclass(frozen=True)
class Table:
    """All models of one price list, deprecated ones included, and the day of the list."""

    all_models: tuple[Model, ...] = field(repr=False)
    date: date

    def models(self, *, deprecated: bool = False) -> tuple[Model, ...]:
        """Return the models, by default without those that the vendor has given up."""
        return tuple(model for model in self.all_models if deprecated or not model.deprecated)

    def model(self, name: str) -> Model:
        """Return the model with that id, or with that ``ref`` where only one provider has it.

        Raises :class:`BPEError` with the nearest ids for an unknown or ambiguous name.
        """
        wanted = name.strip().lower()
        for model in self.all_models:
            if model.id.lower() == wanted:
                return model
        named = [model for model in self.all_models if model.ref.lower() == wanted]
        if len(named) == 1:
            return named[0]
        if named:
            raise BPEError(
                "Several providers sell “{name}”. Say which: {ids}.",
                name=name,
                ids=", ".join(model.id for model in named),
            )
        near = self._near(wanted)
        if near:
            raise BPEError(
                "There is no model “{name}” in the price list. Did you mean: {ids}?",
                name=name,
                ids=", ".join(near),
            )
        raise BPEError("There is no model “{name}” in the price list.", name=name)

    def _near(self, wanted: str) -> list[str]:
        ids = {model.id.lower(): model.id for model in self.all_models}
        refs = {model.ref.lower(): model.id for model in self.all_models}
        close = get_close_matches(wanted, [*ids, *refs], n=5, cutoff=0.6)
        return list(dict.fromkeys({**refs, **ids}[key] for key in close))


def table_of(listed: list[Model], day: date) -> Table:
    """Return the table of listed models and our own ones, each completed with our facts."""
    return Table(tuple(completed(model) for model in [*listed, *own_models()]), day)


@cache
def table() -> Table:
    """Return the table that comes with this version."""
    listed = bundled.listed_models(bundled.bundled(), bundled.BUNDLED_ON)
    return table_of(listed, bundled.BUNDLED_ON)


def models(*, deprecated: bool = False) -> tuple[Model, ...]:
    """Return the bundled models, by default without deprecated ones."""
    return table().models(deprecated=deprecated)


def model(name: str) -> Model:
    """Return a bundled model by id; see :meth:`Table.model`."""
    return table().model(name)
