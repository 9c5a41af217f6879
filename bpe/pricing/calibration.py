"""Measured ratios between a model's token counts and those of a vocabulary that we have.

The data are in ``calibration.toml``; counting with them is in ``count.py``.
"""

import tomllib
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_CEILING, Decimal
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Sample:
    """One text counted twice: ``base`` tokens in the named encoding, ``model`` tokens in the model.

    ``characters`` is its length in code points.
    """

    characters: int
    base: int
    model: int

    @property
    def ratio(self) -> Decimal:
        """Model tokens for each base token."""
        return Decimal(self.model) / self.base

    @property
    def error(self) -> Decimal:
        """The relative error to state, as a fraction: chance alone, generously rounded up.

        Taking both counts for Poisson numbers, the ratio has a relative standard error of
        √(1/base + 1/model). Two of these, rounded up to the next tenth, are stated. This covers
        the smallness of the sample. It does **not** cover a wrong reconstruction or texts of
        another kind, whose error nobody has measured.

        >>> Sample(347, 282, 385).error  # 2 × √(1/282 + 1/385) = 0.157
        Decimal('0.2')
        """
        chance = 2 * (1 / Decimal(self.base) + 1 / Decimal(self.model)).sqrt()
        return chance.quantize(Decimal("0.1"), ROUND_CEILING)


@dataclass(frozen=True, slots=True)
class Calibration:
    """Ratios for Chinese and for other text, to be applied to counts of ``encoding``.

    ``method`` says how the model's counts were had: ``"reconstruction"`` or ``"vendor"``.
    """

    name: str
    encoding: str
    method: str
    date: date
    zh: Sample
    other: Sample


@cache
def calibrations() -> dict[str, Calibration]:
    """Return all calibrations by name."""
    rows = tomllib.loads(files(__package__).joinpath("calibration.toml").read_text("utf-8"))
    return {
        row["name"]: Calibration(
            row["name"], row["encoding"], row["method"], row["date"],
            Sample(**row["zh"]), Sample(**row["other"]),
        )
        for row in rows.values()
    }  # fmt: skip
