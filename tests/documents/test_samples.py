"""The sample texts keep the promises that charts and lessons rely on."""

import re
import unicodedata
from collections import Counter
from importlib.resources import files

from bpe.documents import samples
from bpe.documents.samples import DOMAINS, corpus, pairs
from tests.each import each

HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
HAN_BESIDE_LATIN = re.compile(r"[\u3400-\u9fff][A-Za-z0-9`~#¥(−]|[A-Za-z0-9`%)℃][\u3400-\u9fff]")
HALF_WIDTH_AFTER_HAN = re.compile(r"[\u3400-\u9fff][,.;:!?]")
FULL_WIDTH = re.compile(r"[，。！？：；、（）【】「」～]")
EMOJI = re.compile(r"[\u2600-\u27bf\U0001f300-\U0001faff]")
CODE_SPAN = re.compile(r"`[^`]*`")


def han_share(text):
    """The share of 汉字 among the letters and digits of a text, code spans left out."""
    words = [char for char in CODE_SPAN.sub("", text) if char.isalnum()]
    return sum(bool(HAN.match(char)) for char in words) / len(words)


def beyond(encoding, text):
    """The 汉字 of a text that an encoding cannot write."""
    return "".join(char for char in HAN.findall(text) if not char.encode(encoding, "ignore"))


def texts(pair):
    """All texts of a pair, the optional one included when present."""
    return [text for text in (pair.zh, pair.en, pair.zh_hant) if text is not None]


each_pair = each(pairs(), name=lambda pair: f"{pair.domain}: {pair.en}")


def test_seven_domains_have_twenty_pairs_or_more_each_and_a_file():
    assert len(DOMAINS) == len(set(DOMAINS)) == 7
    assert pairs() == tuple(pair for domain in DOMAINS for pair in pairs(domain))
    counts = Counter(pair.domain for pair in pairs())
    assert set(counts) == set(DOMAINS)
    assert min(counts.values()) >= 20
    names = {entry.name for entry in files(samples).iterdir() if entry.name.endswith(".jsonl")}
    assert names == {f"{domain}.jsonl" for domain in DOMAINS}
    every = Counter(text for pair in pairs() for text in texts(pair))
    assert [text for text, count in every.items() if count > 1] == []


@each_pair
def test_the_chinese_side_is_mostly_han_characters(pair):
    # Numbers, units and formulas are the point of the code domain.
    for text in filter(None, (pair.zh, pair.zh_hant)):
        assert han_share(text) >= (0.25 if pair.domain == "code" else 2 / 3)
    assert 15 <= len(HAN.findall(pair.zh)) <= 120
    # GB 2312 has no characters that are only traditional, Big5 none that are only simplified.
    assert not beyond("gb2312", pair.zh)
    assert not beyond("big5", pair.zh_hant or "")


@each_pair
def test_scripts_and_punctuation_do_not_mix(pair):
    english = CODE_SPAN.sub("", pair.en) if pair.domain == "code" else pair.en
    assert not HAN.search(english)
    assert not FULL_WIDTH.search(english)
    for text in (pair.zh, pair.zh_hant or ""):
        outside_code = CODE_SPAN.sub("``", text)
        assert not HAN_BESIDE_LATIN.search(outside_code)
        assert not HALF_WIDTH_AFTER_HAN.search(outside_code)


@each_pair
def test_every_text_is_one_trimmed_line_in_nfc(pair):
    for text in texts(pair):
        assert text
        assert text == text.strip()
        assert text.splitlines() == [text]
        assert "  " not in text
        assert unicodedata.is_normalized("NFC", text)
    assert EMOJI.findall(pair.zh) == EMOJI.findall(pair.en)
    assert CODE_SPAN.findall(pair.zh) == CODE_SPAN.findall(pair.en)
    assert (pair.zh_hant is not None) == (pair.domain == "news")
    assert pair.zh_hant != pair.zh


def test_a_corpus_has_one_line_per_pair():
    for domain in DOMAINS:
        assert corpus("zh", domain).split("\n") == [pair.zh for pair in pairs(domain)]
        assert corpus("en", domain).split("\n") == [pair.en for pair in pairs(domain)]
    assert corpus("en") == "\n".join(corpus("en", domain) for domain in DOMAINS)
    assert corpus("zh_hant") == corpus("zh_hant", "news")
