"""Encoders whose counts can be worked out in the head."""

from bpe.encoders.base import Encoder


class CharacterEncoder:
    """One token for each character: its code point."""

    chunks, truncate = Encoder.chunks, Encoder.truncate

    def __init__(self, name="characters", width=1):
        self.name = name
        self.width = width
        self.vocabulary_size = 0x110000
        self.special_tokens = {}
        self.normalises = None
        self.lossy = False
        self._space_sign = ""

    def encode(self, text, *, allowed_special=(), disallowed_special="all"):
        return [ord(character) for character in text for _ in range(self.width)]

    def count(self, text):
        return len(self.encode(text))

    def token_bytes(self, token_id):
        return chr(token_id).encode("utf-8", "surrogatepass")

    def decode(self, ids):
        return "".join(map(chr, ids))


class ByteEncoder(CharacterEncoder):
    """One token for each byte of UTF-8."""

    def encode(self, text, *, allowed_special=(), disallowed_special="all"):
        return list(text.encode("utf-8", "surrogatepass"))

    def token_bytes(self, token_id):
        return bytes([token_id])
