"""Putting a tokenizer on the Hub from the Train page: the token goes, and stays nowhere."""

import pytest

from bpe.errors import BPEError
from bpe.files import push
from tests.pages.reading import said

TOKEN = "hf_SecretSecretSecret"


def open_form(app):
    app.session_state["downloads"] = True
    return app.run()


def send(app):
    fields = {field.label: field for field in app.text_input}
    fields["Repository"].set_value("somebody/small")
    fields["Your access token, with the right to write"].set_value(TOKEN)
    (button,) = (button for button in app.button if button.label == "Upload")
    return button.click().run()


@pytest.mark.parametrize(
    "answer", ["https://hub/somebody/small", BPEError("The Hub does not accept this token.")]
)
def test_the_token_is_used_once_and_kept_nowhere(open_page, monkeypatch, answer):
    given = []

    def to_hub(tokenizer, repository, *, token, private, on_step, **more):
        given.append((repository, token, private))
        on_step("creating")
        if isinstance(answer, BPEError):
            raise answer
        return answer

    monkeypatch.setattr(push, "to_hub", to_hub)
    app = send(open_form(open_page("train")))
    assert given == [("somebody/small", TOKEN, True)]
    assert not app.exception
    told = said(app, "success", "error")
    assert "somebody/small" in told or "does not accept this token" in told
    (field,) = (field for field in app.text_input if field.label.startswith("Your access token"))
    assert field.value == ""
    assert TOKEN not in str([(key, app.session_state[key]) for key in app.session_state])
    app.run()
    assert len(given) == 1
