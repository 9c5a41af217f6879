"""A tokenizer from the Hub: from a stand-in that speaks as much of it."""

import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

import bpe
from bpe import files
from bpe.errors import BPEError
from bpe.files import hub
from tests.each import each

FILE = files.dumps(bpe.train(["ab ab"], bpe.Recipe(merges=1)), "huggingface")["tokenizer.json"]


class Answers(BaseHTTPRequestHandler):
    """Three repositories: one good, one broken, one that never ends."""

    def do_GET(self) -> None:
        match self.path.removesuffix("/resolve/main/tokenizer.json"):
            case "/owner/good":
                self._answer(200, FILE)
            case "/owner/broken":
                self._answer(200, b"<html>Please sign in</html>")
            case "/owner/slow":
                self.send_response(200)
                self.end_headers()
                try:
                    while True:
                        self.wfile.write(b" " * 10)
                        time.sleep(0.02)
                except OSError:
                    pass
            case other:
                self._answer({"/owner/gated": 401, "/owner/down": 503}.get(other, 404), b"no")

    def _answer(self, status: int, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def running(monkeypatch) -> Iterator[None]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}/")
        yield
        server.shutdown()
        thread.join()


@pytest.mark.usefixtures("running")
def test_a_tokenizer_is_fetched():
    encoder = files.from_hub("owner/good", timeout=600)
    assert (encoder.name, encoder.encode("ab")) == ("owner/good", [256])


@pytest.mark.usefixtures("running")
@pytest.mark.parametrize(
    ("repository", "revision", "message"),
    [
        ("owner/none", None, r"The Hub has no public tokenizer\.json in that repository"),
        ("owner/good", "v9", r"The Hub has no public tokenizer\.json in that repository"),
        ("owner/gated", None, "it must be asked for"),
        ("owner/down", None, "The Hub answered with the error 503"),
        ("owner/broken", None, r"“tokenizer\.json” is not valid JSON"),
    ],
)
def test_what_cannot_be_fetched_is_explained(repository, revision, message):
    with pytest.raises(BPEError, match=message):
        files.from_hub(repository, revision=revision, timeout=600)


@pytest.mark.usefixtures("running")
def test_the_timeout_is_for_the_whole_download():
    # Each byte comes in time, and the last one never.
    with pytest.raises(BPEError, match=r"could not be reached within 0\.3 seconds"):
        files.from_hub("owner/slow", timeout=0.3)


@pytest.mark.usefixtures("running")
def test_a_file_that_is_too_large_is_not_read_to_its_end(monkeypatch):
    monkeypatch.setattr(hub, "MAX_BYTES", 100)
    with pytest.raises(BPEError, match="which is the limit"):
        files.from_hub("owner/good", timeout=600)


def test_no_network_is_said_at_once(monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")  # no server listens there
    with pytest.raises(BPEError, match="Check the network and try again, or upload"):
        files.from_hub("owner/good", timeout=600)


@pytest.mark.parametrize(
    ("repository", "revision", "url"),
    [
        ("gpt2", None, "https://huggingface.co/gpt2/resolve/main/tokenizer.json"),
        (
            "Qwen/Qwen2.5-0.5B",
            "refs/pr/1",
            "https://huggingface.co/Qwen/Qwen2.5-0.5B/resolve/refs%2Fpr%2F1/tokenizer.json",
        ),
    ],
)
def test_where_a_file_is(repository, revision, url, monkeypatch):
    monkeypatch.delenv("HF_ENDPOINT", raising=False)
    asked = []

    def fetch(url: str, timeout: float) -> bytes:
        asked.append((url, timeout))
        return FILE

    files.from_hub(repository, revision=revision, timeout=3, fetch=fetch)
    assert asked == [(url, 3)]


NAMES = ["", "a/b/c", "../etc", "a b/c", "a/..", "a/../b", "a?b", "a/.b", "a/-b", "a/b.git", "a..b"]


@each([*NAMES, "a/b\n", "a/b--c", "http://example.org"])
def test_a_name_that_no_repository_can_have(repository):
    with pytest.raises(BPEError, match="cannot be a repository of the Hub"):
        files.from_hub(repository, fetch=lambda url, timeout: b"{}")
