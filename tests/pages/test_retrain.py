"""A link to a tokenizer whose session is over says which it was, and how to have it again."""

import pytest


def gone(app) -> list[str]:
    return [warning.value.replace("\\", "") for warning in app.warning]


@pytest.mark.parametrize(("language", "label"), [("en", "Train it again"), ("zh", "重新训练它")])
def test_a_trained_tokenizer_is_named_after_a_reload_and_trained_again(open_page, language, label):
    first = open_page("train", lang=language, corpus="zh", size="400")
    first.switch_page("pages/compare.py").run()
    link = {key: first.query_params[key] for key in ("tokenizers", "made")}
    (code,) = [code for code in link["tokenizers"] if code.startswith("own-")]

    reloaded = open_page("compare", lang=language, **link)
    assert not reloaded.exception
    (said,) = gone(reloaded)
    assert "400" in said
    assert code not in said
    again = next(link for link in reloaded.get("page_link") if link.proto.label == label)
    assert "corpus=zh&size=400" in again.proto.query_string


def test_of_a_foreign_link_only_the_code_is_known(open_page):
    app = open_page("compare", tokenizers=["own-12345678", "gpt-99", "llama2"])
    assert any("“own-12345678” is no longer here" in said for said in gone(app))
    assert any("the link asks for “gpt-99”" in said for said in gone(app))
    assert app.multiselect(key="tokenizers").value == ["llama2"]
