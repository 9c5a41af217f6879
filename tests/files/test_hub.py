"""A tokenizer from the Hub, or a sentence that says why there is none."""

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import bpe
from bpe import files
from bpe.errors import BPEError
from bpe.files import hub

FILE = files.dumps(bpe.train(["ab ab"], bpe.Recipe(merges=1)), "huggingface")["tokenizer.json"]


class Hub(BaseHTTPRequestHandler):
    """A Hub of three repositories: one good, one broken, one that never ends."""

    def do_GET(self) -> None:
        match self.path:
            case "/owner/good/resolve/main/tokenizer.json":
                self._answer(200, FILE)
            case "/owner/broken/resolve/main/tokenizer.json":
                self._answer(200, b"<html>Please sign in</html>")
            case "/owner/slow/resolve/main/tokenizer.json":
                self.send_response(200)
                self.end_headers()
                try:
                    while True:
                        self.wfile.write(b" " * 10)
                        time.sleep(0.02)
                except OSError:
                    pass
            case "/owner/gated/resolve/main/tokenizer.json":
                self._answer(401, b"no")
            case "/owner/down/resolve/main/tokenizer.json":
                self._answer(503, b"no")
            case _:
                self._answer(404, b"no")

    def _answer(self, status: int, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Hub) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{running.server_port}/")
        yield
        running.shutdown()
        thread.join()


@pytest.mark.usefixtures("server")
def test_a_tokenizer_is_fetched() -> None:
    encoder = files.from_hub("owner/good", timeout=600)
    assert (encoder.name, encoder.encode("ab")) == ("owner/good", [256])


@pytest.mark.usefixtures("server")
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
def test_what_cannot_be_fetched_is_explained(
    repository: str, revision: str | None, message: str
) -> None:
    with pytest.raises(BPEError, match=message):
        files.from_hub(repository, revision=revision, timeout=600)


@pytest.mark.usefixtures("server")
def test_the_timeout_is_for_the_whole_download() -> None:
    # Each byte comes in time, and the last one never.
    with pytest.raises(BPEError, match=r"could not be reached within 0\.3 seconds"):
        files.from_hub("owner/slow", timeout=0.3)


@pytest.mark.usefixtures("server")
def test_a_file_that_is_too_large_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "MAX_BYTES", 100)
    with pytest.raises(BPEError, match="which is the limit"):
        files.from_hub("owner/good", timeout=600)


def test_no_network_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_where_a_file_is(
    repository: str, revision: str | None, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HF_ENDPOINT", raising=False)
    asked = []

    def fetch(url: str, timeout: float) -> bytes:
        asked.append((url, timeout))
        return FILE

    files.from_hub(repository, revision=revision, timeout=3, fetch=fetch)
    assert asked == [(url, 3)]


@pytest.mark.parametrize(
    "repository",
    ["", "a/b/c", "../etc", "a b", "a/../b", "http://example.org", "a?b", "a/.b", "a..b"],
)
def test_a_name_that_no_repository_can_have(repository: str) -> None:
    with pytest.raises(BPEError, match="cannot be a repository of the Hub"):
        files.from_hub(repository, fetch=lambda url, timeout: json.dumps({}).encode())
