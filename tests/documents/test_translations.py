"""What translators write: every language a column, and nothing that takes the reader down."""

import io
import zipfile

import polib
import pytest

from bpe.documents import translations
from bpe.documents.parallel_texts import read_table
from bpe.errors import BPEError

PAIRS = (("你好", "Hello"), ("再见", "Goodbye"))

PO = """\
msgid ""
msgstr "Language: zh_CN\\nContent-Type: text/plain; charset=UTF-8\\n"

msgid "Hello"
msgstr "你好"

#, fuzzy
msgid "Perhaps"
msgstr "也许"

msgid "Not yet"
msgstr ""

msgid "Goodbye"
msgid_plural "Goodbye"
msgstr[0] "再见"
"""
TMX = """\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header srclang="en"/><body>
<tu><prop>x</prop><tuv xml:lang="en"><seg>Hel<bpt i="1">&lt;b></bpt>lo</seg></tuv>
    <tuv xml:lang="zh-CN"><seg>你<hi>好</hi></seg></tuv>
    <tuv xml:lang="fr"><seg>Bonjour</seg></tuv></tu>
<tu><tuv xml:lang="en"><seg>Goodbye</seg></tuv><tuv xml:lang="zh-CN"><seg>再见</seg></tuv></tu>
<tu><tuv xml:lang="en"><seg>Alone</seg></tuv></tu>
</body></tmx>
"""
XLIFF = """\
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
<file source-language="en" target-language="zh-CN" original="a" datatype="plaintext"><body>
<trans-unit id="1"><source>Hello</source><target>你<g id="1">好</g><x id="2"/></target>
<alt-trans><target>您好</target></alt-trans></trans-unit>
<trans-unit id="2"><source>Goodbye</source><target>再见</target><note>!</note></trans-unit>
<trans-unit id="3"><source>Not yet</source></trans-unit>
</body></file></xliff>
"""
XLIFF2 = """\
<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="zh">
<file id="f"><unit id="1"><segment><source>Hello</source><target>你好</target></segment>
<ignorable><source> </source><target> </target></ignorable>
<segment><source>Good<pc id="1">bye</pc></source><target>再见</target></segment></unit></file>
</xliff>
"""
SRT = """\
1\r
00:00:01,000 --> 00:00:02,000\r
<i>你好</i>\r
Hello\r
\r
2
00:00:03,000 --> 00:00:04,000
{\\an8}再见
Goodbye

3
00:00:05,000 --> 00:00:06,000
Alone
"""


def zipped(**files: str) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, text in files.items():
            archive.writestr(name.replace("__", ".").replace("SLASH", "/"), text)
    return written.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.po", PO),
        ("a.tmx", TMX),
        ("a.tmx", TMX.replace("UTF-8", "UTF-16").encode("utf-16")),
        ("a.xliff", XLIFF),
        ("a.xlf", XLIFF2),
        ("a.srt", SRT),
        ("a.srt", SRT.encode("gb18030")),
        ("a.zip", zipped(zho_Hans__devtest="你好\n再见\n", eng_Latn__devtest="Hello\nGoodbye\n")),
    ],
)  # fmt: skip
def test_each_kind_is_read_as_pairs(name, content):
    data = content if isinstance(content, bytes) else content.encode()
    assert read_table(data, name).pairs() == PAIRS


def test_a_compiled_catalogue_is_read_as_well(tmp_path):
    polib.pofile(PO).save_as_mofile(str(tmp_path / "a.mo"))
    pairs = read_table((tmp_path / "a.mo").read_bytes(), "a.mo").pairs()
    assert set(pairs) == set(PAIRS)


def test_any_number_of_languages_are_columns_and_what_is_missing_is_left_out():
    table = read_table(TMX.encode(), "a.tmx")
    assert table.languages == table.columns == ("en", "zh-CN", "fr")
    assert (table.zh, table.en) == ("zh-CN", "en")
    assert table.pairs("fr", "en") == (("Bonjour", "Hello"),)


def test_columns_of_a_table_that_are_named_like_languages():
    table = read_table(b"id,zh,en,fr,note,pt-BR,zho_Hant\n1,a,b,c,d,e,f\n2,a,b,,d,e,f\n", "a.csv")
    assert table.languages == ("zh", "en", "fr", "pt-BR", "zho_Hant")
    assert table.pairs("fr", "en", gaps=True) == (("c", "b"),)
    with pytest.raises(BPEError, match="Row 3"):
        table.pairs("fr", "en")


def test_folders_of_one_language_each_follow_one_another():
    data = zipped(devSLASHeng__dev="a\n", devSLASHzho__dev="一\n",
                  devtestSLASHeng__devtest="b\n", devtestSLASHzho__devtest="二\n")  # fmt: skip
    assert read_table(data, "flores.zip").pairs() == (("一", "a"), ("二", "b"))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.zip", zipped(eng__txt="a\nb\n", zho__txt="一\n"), "“eng” has 2 lines and “zho” 1"),
        ("a.zip", zipped(eng__txt="a\n"), "No two languages"),
        ("a.zip", b"PK nonsense", "archive is broken"),
        ("a.po", b"msgid nonsense\nmsgstr", "no file of gettext"),
        ("a.mo", b"\xde\x12\x04\x95 cut short", "no file of gettext"),
        ("a.tmx", b"<tmx><body>", "XML is broken at line 1, column 12"),
        ("a.tmx", b"not XML", "XML is broken"),
        ("a.srt", b"1\n00:00:01,000 --> 00:00:02,000\nHello\n", "No two languages"),
        ("a.tmx", b'<!DOCTYPE t [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><tmx>&b;</tmx>',
         "declares entities"),
        ("a.xlf", b'<!DOCTYPE t [<!ENTITY a SYSTEM "file:///etc/passwd">]><xliff>&a;</xliff>',
         "declares entities"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_says_why(name, content, message):
    with pytest.raises(BPEError, match=message):
        read_table(content, name)


def test_there_is_a_limit_of_texts(monkeypatch):
    monkeypatch.setattr(translations, "_MOST_CELLS", 4)
    with pytest.raises(BPEError, match="has 9 texts; the limit is 4"):
        translations.unpacked(TMX.encode(), kind=".tmx")
