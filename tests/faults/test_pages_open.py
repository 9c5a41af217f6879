"""The pages open in a server, and a file is read, whichever release of Streamlit is installed."""

from tests.support.browser import served
from tests.support.visitor import Visitor


def test_every_page_opens_and_a_file_is_read():
    with served() as server:
        for page in ("compare", "cost", "learn"):
            with Visitor(server.url, page, "lang=en") as visitor:
                assert visitor.exceptions == []
                assert len(visitor.elements) > 20
        with Visitor(server.url, "", "lang=en&corpus=upload") as visitor:
            visitor.upload("corpus_files", "a.txt", "看路，看天，看路人。\n".encode() * 50)
            assert visitor.exceptions == []
            assert "550 characters, read as utf-8" in visitor.text()
