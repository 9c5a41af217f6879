"""Byte pair encoding: learn it, train it, measure it.

>>> import bpe
>>> tokenizer = bpe.train(["low lower lowest"], bpe.Recipe(vocabulary_size=260))
>>> tokenizer.decode(tokenizer.encode("lowest"))
'lowest'

The public names stand in ``__init__.pyi``. Importing this is cheap: each of them is imported where
it is first used.
"""

from importlib import import_module
from typing import Any

__version__ = "0.2.0"

with open(f"{__file__}i", encoding="utf-8") as stub:
    _HOMES = {line.split()[3]: line.split()[1] for line in stub if line.startswith("from ")}
"""Each public name, and the module that it is from."""

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
    else:
        try:
            value = import_module(f"bpe.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"bpe.{name}":
                raise
            raise AttributeError(f"module 'bpe' has no attribute {name!r}") from None
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
