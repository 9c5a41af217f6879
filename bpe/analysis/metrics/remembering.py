"""Several figures of the same texts, each text encoded once."""

from collections.abc import Iterable, Mapping

from bpe.encoders.base import Encoder
from bpe.training.special_tokens import Specials


class Remembering:
    """An encoder that remembers what it was asked; see :class:`bpe.encoders.base.Encoder`.

    For as long as one set of texts is measured: it forgets nothing.
    """

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._ids: dict[tuple[str, Specials, Specials], list[int]] = {}
        self._bytes: dict[int, bytes] = {}

    @property
    def name(self) -> str:
        """The name of the encoder itself."""
        return self._encoder.name

    @property
    def vocabulary_size(self) -> int:
        """As the encoder itself."""
        return self._encoder.vocabulary_size

    @property
    def special_tokens(self) -> Mapping[str, int]:
        """As the encoder itself."""
        return self._encoder.special_tokens

    @property
    def normalises(self) -> str | None:
        """As the encoder itself."""
        return self._encoder.normalises

    @property
    def lossy(self) -> bool:
        """As the encoder itself."""
        return self._encoder.lossy

    def encode(
        self,
        text: str,
        *,
        allowed_special: Specials = (),
        disallowed_special: Specials = "all",
    ) -> list[int]:
        """Return the ids of ``text``; the same list again when asked again."""
        key = (text, _frozen(allowed_special), _frozen(disallowed_special))
        if key not in self._ids:
            self._ids[key] = self._encoder.encode(
                text, allowed_special=allowed_special, disallowed_special=disallowed_special
            )
        return self._ids[key]

    def token_bytes(self, token_id: int, /) -> bytes:
        """Return the bytes that an id stands for."""
        if token_id not in self._bytes:
            self._bytes[token_id] = self._encoder.token_bytes(token_id)
        return self._bytes[token_id]

    def decode(self, ids: Iterable[int], /) -> str:
        """Return the text of ids."""
        return self._encoder.decode(ids)


def _frozen(specials: Specials) -> Specials:
    return specials if specials == "all" else tuple(sorted(specials))
