"""The public names, and an encoder that encodes each text once."""

from bpe.analysis import metrics
from bpe.analysis.metrics import Remembering, premium
from tests.analysis.metrics.small_tokenizers import ZHONG


def test_every_public_name_is_there():
    assert all(hasattr(metrics, name) for name in metrics.__all__)


def test_a_remembering_encoder_says_the_same_and_asks_once():
    asked = []

    class Counting(Remembering):
        def encode(self, text, **specials):
            asked.append(text)
            return super().encode(text, **specials)

    encoder = Remembering(Counting(ZHONG))
    pairs = [("中国", "ab"), ("中", "a")]
    assert premium(encoder, pairs) == premium(ZHONG, pairs)
    assert premium(encoder, pairs) == premium(ZHONG, pairs)
    assert asked == ["中国", "ab", "中", "a"]
    assert encoder.decode(encoder.encode("中国", allowed_special=set())) == "中国"
