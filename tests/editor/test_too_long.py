"""What is said of a paste that is longer than an editor takes."""

import json

import pytest
from streamlit.testing.v1 import AppTest


def coloured() -> None:
    import bpe
    from playground.editor import editor

    editor("Text", bpe.encoding("llama2"), key="text")


def plain() -> None:
    from playground.editor import plain_text

    plain_text("Text", key="text")


@pytest.mark.parametrize(("draw", "leads_to_compare"), [(coloured, True), (plain, False)])
def test_only_a_text_whose_tokens_are_counted_is_sent_to_the_count_of_files(draw, leads_to_compare):
    app = AppTest.from_function(draw, default_timeout=60).run()
    assert not app.exception
    [box] = app.get("bidi_component")
    said = json.loads(box.proto.json)["labels"]["tooLong"]
    assert said.startswith("That makes {all} characters; the first {most} are taken.")
    assert ("page Compare" in said) == leads_to_compare
