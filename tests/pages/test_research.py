"""Recipes of today's research on the Train page: a claim, and what was measured."""

import pytest


def opened(open_page, recipe: str, **query):
    app = open_page("train", corpus="both", size="500", research_recipe=recipe, **query)
    app.session_state["research"] = True
    app.run()
    assert not app.exception
    return app


def table(app):
    return next(each.value for each in app.dataframe if "tried" in each.value)


def said(app) -> str:
    return " ".join(each.value for each in (*app.markdown, *app.caption))


def test_whole_characters_mix_no_parts_of_characters(open_page):
    app = opened(open_page, "whole")
    plain, tried = table(app).iloc[-1][["plain", "tried"]]
    assert plain > 0
    assert tried == 0
    assert "arXiv 2505.24689" in said(app)
    assert "tokens on the lines held out" in said(app)


def test_superwords_save_tokens_in_english(open_page):
    app = opened(open_page, "superwords", research_superwords="50")
    rows = table(app)
    assert rows.iloc[1]["tried"] < rows.iloc[1]["plain"]
    assert app.session_state["own tokenizers"]["own-research"].pattern == "none"


def test_parity_is_plain_where_all_merges_are_global(open_page):
    fair = table(opened(open_page, "parity"))
    assert list(fair["plain"]) != list(fair["tried"])
    same = table(opened(open_page, "parity", research_parity="100"))
    assert list(same["plain"]) == list(same["tried"])


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_it_is_in_both_languages(open_page, lang):
    assert ("论文" in said(opened(open_page, "whole", lang=lang))) == (lang == "zh")
