"""The error of the library, on its way to the interface that shows it."""

import pickle

from bpe.errors import BPEError, Translatable, translatable


def test_an_error_survives_pickling():
    # A pool of processes waits for ever for a worker whose error cannot be unpickled.
    error = BPEError("The {what} has {n:,} bytes.", what=translatable("file"), n=2000)
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == "The file has 2,000 bytes."
    assert (again.template, again.values) == (error.template, error.values)
    assert isinstance(again.values["what"], Translatable)
