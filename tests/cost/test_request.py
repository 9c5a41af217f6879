"""A request as JSON: what is none is refused in words."""

import pytest

from bpe import pricing
from bpe.errors import BPEError
from playground.cost.conversation import request


@pytest.mark.parametrize(
    "asked", ["[" * 100_000, "[]," * 60_000, "5", "{", '{"messages": {"a": 1}}']
)
def test_a_request_of_another_shape_is_refused(asked):
    with pytest.raises(BPEError):
        request._counted(pricing.model("openai/gpt-4"), asked, None, None)


def test_where_json_breaks_is_said_in_our_own_words():
    with pytest.raises(BPEError, match="line 2, column 1 cannot be read"):
        request._json("[\n")
