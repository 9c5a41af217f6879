"""What a link has room for, without the page."""

import hashlib

from playground.share import codec, control
from playground.share.codec import OwnTokenizer, State


def test_a_link_with_too_many_names_leaves_tokenizers_out_and_keeps_the_language():
    names = [hashlib.sha512(bytes([number])).hexdigest() for number in range(100)]
    entries = tuple(
        OwnTokenizer(f"own-{number}", name, published=name[:64])
        for number, name in enumerate(names)
    )
    link = control.fitting(State("compare", {"lang": "zh"}, entries), "http://localhost/")
    assert len(link.address) <= codec.BUDGET
    assert link.texts == ()
    assert len(link.tokenizers) < 100
