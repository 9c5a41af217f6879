"""The one error that every part of the library raises for bad input, and what checks a number.

It is a ``ValueError`` whose text says what happened and what to do. The English template and its
values are kept apart, so that an interface can show the same sentence in another language.
"""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from operator import index
from typing import Any


class BPEError(ValueError):
    """Bad input, said in a sentence that tells what to do about it.

    ``template`` is the English sentence with ``{named}`` gaps and ``values`` fills them;
    ``str(error)`` is the filled English sentence.
    """

    def __init__(self, template: str, /, **values: object) -> None:
        super().__init__(template, values)
        self.template = template
        self.values = values

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), self.template, **self.values), ()

    def __str__(self) -> str:
        return self.template.format(**self.values)


class TooLongError(BPEError):
    """The processor time was used up."""


class TooLargeError(BPEError):
    """The memory was used up."""


class BusyError(BPEError):
    """The machine has too much other work; the same may succeed later."""


class Refusals:
    """Errors of work that would fail again, raised at once when the same is asked for.

    They are remembered by a key, the last ``most`` of them; memory that is missing and a busy
    machine are not, as both may be otherwise in a minute.
    """

    def __init__(self, most: int = 256) -> None:
        self._most = most
        self._errors: dict[Hashable, Callable[[], BPEError]] = {}

    @contextmanager
    def of(self, key: Hashable) -> Iterator[None]:
        """Raise what this key ended with before, or remember what the work within raises."""
        if (error_again := self._errors.get(key)) is not None:
            raise error_again()
        try:
            yield
        except (BusyError, TooLargeError):
            raise
        except BPEError as error:
            while len(self._errors) >= self._most:
                self._errors.pop(next(iter(self._errors)), None)
            self._errors[key] = partial(type(error), error.template, **error.values)
            raise


@dataclass(frozen=True, slots=True)
class Sentence:
    """An English template with ``{named}`` gaps and what fills them.

    It has the ``template`` and ``values`` of :class:`BPEError`, so whatever shows that error in
    another language can show this.

    >>> str(Sentence.of("{count} tokens", count=3))
    '3 tokens'
    """

    template: str
    filled: tuple[tuple[str, object], ...] = ()

    @classmethod
    def of(cls, template: str, /, **values: object) -> "Sentence":
        return cls(template, tuple(values.items()))

    @property
    def values(self) -> dict[str, object]:
        """The values of the gaps, by name."""
        return dict(self.filled)

    def __str__(self) -> str:
        return self.template.format(**self.values)


def whole_number(value: Any, *, at_least: int | None = None) -> int | None:
    """Return a whole number that is large enough; ``None`` for all else, truth values included.

    >>> whole_number(3, at_least=1), whole_number(True, at_least=1), whole_number(3.0, at_least=1)
    (3, None, None)
    """
    try:
        number = index(value)
    except TypeError:
        return None
    too_small = at_least is not None and number < at_least
    return None if isinstance(value, bool) or too_small else number


def library(name: str) -> Any:
    """Return a package of others, imported; where it is missing, :class:`BPEError` names it."""
    try:
        return import_module(name)
    except ImportError as error:
        raise _missing(name, name) from error


@contextmanager
def from_extra(extra: str) -> Iterator[None]:
    """Turn a failing import of an optional dependency into :class:`BPEError`, which names it."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise _missing(error.name, f"'bpe-playground[{extra}]'") from error


def _missing(package: str | None, install: str) -> BPEError:
    return BPEError(
        "The package “{package}” is needed for this and not installed. Install it: {command}",
        package=package,
        command=f"pip install {install}",
    )


class Translatable(str):
    """A word of our own that fills a gap: an interface shows it in its own language."""


translatable = Translatable
