"""Recipes of today's research on the Train page: a claim, and what was measured."""

from tests.pages.reading import said


def opened(open_page, recipe: str, **query):
    app = open_page("train", corpus="both", size="500", research_recipe=recipe, **query)
    app.session_state["research"] = True
    app.run()
    assert not app.exception
    return app


def table(app) -> list[tuple[int, int]]:
    """The tokens by plain BPE and by the recipe, a pair for each row."""
    written = next(each.value for each in app.markdown if each.value.startswith("| Tokens |"))
    rows = [line.strip("| ").split(" | ") for line in written.splitlines()[2:]]
    return [(int(row[1].replace(",", "")), int(row[2].replace(",", ""))) for row in rows]


def test_whole_characters_mix_no_parts_of_characters(open_page):
    app = opened(open_page, "whole")
    plain, tried = table(app)[-1]
    assert plain > 0
    assert tried == 0
    assert "arXiv 2505.24689" in said(app)
    assert "tokens on the lines held out" in said(app)
    check_the_file(app)
    assert "论文" in said(opened(open_page, "whole", lang="zh"))


def check_the_file(app) -> None:
    """Check that the download is loaded by the library that it is for."""
    app.session_state["research_download"] = True
    app.run()
    assert "all the same" in said(app, "success")


def test_superwords_save_tokens_in_english(open_page):
    app = opened(open_page, "superwords", research_superwords="50")
    plain, tried = table(app)[1]
    assert tried < plain
    assert app.session_state["own tokenizers"]["own-research"].tokenizer.pattern == "none"
    check_the_file(app)


def test_parity_is_plain_where_all_merges_are_global(open_page):
    app = opened(open_page, "parity")
    assert any(plain != tried for plain, tried in table(app))
    check_the_file(app)
    same = table(opened(open_page, "parity", research_parity="100"))
    assert all(plain == tried for plain, tried in same)
