"""The comparison as a file: what is in it, and that nothing in it runs or breaks out."""

from datetime import UTC, datetime
from html.parser import HTMLParser

import bpe
from playground import session
from playground.compare import report
from playground.compare.text_measures import cut

WHEN = datetime(2026, 11, 22, 8, 30, tzinfo=UTC)
LINK = "https://example.org/compare?lang=en&base=gpt2"
HOSTILE = "<script>alert(1)</script> | `a` ```\n```\n=1+1 \"'&"


class Tags(HTMLParser):
    """The tags of a page, and the text between them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.text += data


def made(texts, link=LINK):
    found = {name: bpe.encoding(name) for name in ("cl100k_base", "gpt2")}
    return report.report(found, texts, cut(found, texts), link, WHEN)


def test_a_report_says_what_was_compared_with_what_and_when():
    said = report.markdown(made({"zh": "你好，世界", "en": "Hello, world"}))
    assert "- Date: 2026-11-22 08:30 UTC" in said
    assert f"- Link: <{LINK}>" in said
    assert f"BPE Playground {bpe.__version__}" in said
    assert "| `cl100k_base · GPT-4, GPT-3.5, Phi-4` | byte-level BPE | 100,277 |" in said
    assert "| `cl100k_base` | English | 3 | 4.00 | – | 0.0% |" in said
    assert "| `cl100k_base` | 2.00 |" in said
    assert "cl100k_base: |你|好|，|⟨E4 B8⟩|" in said


def test_both_files_say_the_same():
    texts = {"zh": "你好，世界", "en": "Hello, world"}
    page = Tags(report.html(made(texts)))
    assert 'lang="en"' in report.html(made(texts))
    for text in ("你好，世界", "Hello, world", "2026-11-22 08:30 UTC", LINK, "100,277"):
        assert text in page.text


def test_a_page_holds_nothing_that_runs_or_is_loaded():
    page = Tags(report.html(made({"zh": HOSTILE})))
    assert page.tags <= {
        "html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "br", "a", "table",
        "tr", "th", "td", "pre", "div", "span",
    }  # fmt: skip
    assert {name for name, _ in page.attributes} <= {
        "lang", "charset", "http-equiv", "content", "name", "href", "class",
    }  # fmt: skip
    assert HOSTILE in page.text


def test_a_link_that_would_run_is_none():
    assert 'href="javascript' not in report.html(made({"en": "a"}, link="javascript:alert(1)"))
    broken = report.markdown(made({"en": "a"}, link="https://a/> <script>"))
    assert "<https://a/%3E%20%3Cscript%3E>" in broken


def test_a_text_cannot_end_its_block_of_code():
    said = report.markdown(made({"zh": HOSTILE}))
    assert f"````text\n{HOSTILE}\n````" in said


def test_of_a_long_text_the_beginning_is_shown_and_this_is_said():
    found = made({"en": "lower " * 3_000})
    (section,) = found.sections
    assert section.is_cut
    shown = sum(len(cell) for line in section.lines for cell in line.rows[0][1])
    assert 900 < shown < 1_100
    assert "Only the tokens of the beginning are shown" in report.html(found)
    assert "| `gpt2` | English | " in report.markdown(found)


def test_tokens_stand_under_each_other_where_all_have_a_boundary():
    (section,) = made({"en": "a lowest"}).sections
    (line,) = section.lines
    assert [name for name, _ in line.rows] == ["cl100k_base", "gpt2"]
    assert [["".join(cell) for cell in cells] for _, cells in line.rows] == [["a", "·lowest"]] * 2


def test_one_that_spells_other_bytes_stands_by_itself():
    recipe = bpe.Recipe(merges=4, normalisation="lowercase")
    session.add("lower", bpe.train(["low lower lowest"], recipe, name="lower"))
    found = {code: session.encoder(code) for code in ("gpt2", "lower")}
    texts = {"en": "LOW"}
    (section,) = report.report(found, texts, cut(found, texts), "", WHEN).sections
    assert [line.rows for line in section.lines] == [
        (("gpt2", (("L",), ("OW",))),),
        (("lower", (("low",),)),),
    ]
    session.remove("lower")
