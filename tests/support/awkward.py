"""Strings at which tokenizers part."""

AWKWARD: tuple[str, ...] = (
    " ",
    "  two  spaces   three    four ",
    "\ttab\n\nnewlines\r\nand\rreturns\n",
    "I'm WE'LL they'd've 'quoted' don’t",
    "1 12 123 1234 12345 3.14 1,000,000 ½ ²³ ٣٤",
    "def f(x):\n    return x ** 2  # comment\n",
    "https://example.org/路径?q=中文&n=1#top",
    "中文English混排，没有空格。",
    "汉字「引号」、——破折号……《书名》",
    "㐀𠀀𪚥 龘靐齉 〇",
    "emoji 👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 ❤️",
    "e\u0301 Å ﬁ İıſß",
    "עברית العربية \u202eabc\u202c",
    "日本語ひらがなカタカナ 한국어",
    "\ufeffBOM zero\u200bwidth soft\u00adhyphen nbsp\u00a0ideographic\u3000space",
    "\x00\x01\x7f\x85 control",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "========----____~~~~!!!!????",
    "\u0e44\u0e17\u0e22 \u0939\u093f\u0928\u094d\u0926\u0940",
    "�",
)
