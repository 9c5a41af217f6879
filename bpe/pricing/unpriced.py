"""Models that people look for and whose price is not known here: named as such, never guessed."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from bpe.errors import BPEError

Lack = Literal["prices", "prices and vocabulary", "prices in yuan"]


@dataclass(frozen=True, slots=True)
class Unpriced:
    """A family of models without a dated price: its name, its vendor, and what is not known of it.

    Names of its models begin with one of ``prefixes`` (lower case, hyphens for spaces). ``model``
    is the id of a model of the list that prices entered by hand may stand at: with the same
    vocabulary, or the same model sold in dollars; a rough one where the vocabulary is not at hand.
    ``in_dollars`` are patterns of the ids of the models whose price in dollars is known, and the
    one in yuan is not.
    """

    name: str
    vendor: str
    prefixes: tuple[str, ...]
    lack: Lack
    model: str
    in_dollars: str = ""

    def names(self, name: str) -> bool:
        """Return whether ``name``, with a provider in front or not, is of this family."""
        wanted = re.sub(r"[\s_]+", "-", name.strip().lower())
        return wanted.startswith(self.prefixes) or wanted.rpartition("/")[2].startswith(
            self.prefixes
        )

    def error(self, name: str) -> BPEError:
        """Return the error for a request for the price of ``name``."""
        if self.lack == "prices":
            return BPEError(
                "No dated source of the price of “{name}” ({vendor}) is at hand. {model} has the "
                "same vocabulary: enter your own prices there, in the table of prices or, on the "
                "command line, by --price input=… --price output=….",
                name=name,
                vendor=self.vendor,
                model=self.model,
            )
        if self.lack == "prices in yuan":
            return BPEError(
                "No dated source of the price of “{name}” in yuan ({vendor}, mainland China) is at "
                "hand. {model} has a price in dollars: enter your own prices there, in the table "
                "of prices or, on the command line, by --currency CNY --price input=… --price "
                "output=….",
                name=name,
                vendor=self.vendor,
                model=self.model,
            )
        return BPEError(
            "No dated source of the price of “{name}” ({vendor}) is at hand, nor its vocabulary. "
            "For a rough amount, enter your own prices at another model, such as {model}: in the "
            "table of prices or, on the command line, by --price input=… --price output=….",
            name=name,
            vendor=self.vendor,
            model=self.model,
        )


def family_of(name: str, families: Iterable[Unpriced]) -> Unpriced | None:
    """Return the family without a price that a name is of, ``None`` if it is of none."""
    return next((family for family in families if family.names(name)), None)
