"""A tokenizer from the Hub, and one that goes there: to a stand-in that speaks as much of it."""

import base64
import json
import logging
import socket
import time
import traceback
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

import bpe
from bpe import files
from bpe.errors import BPEError
from bpe.files import hub
from tests.cli.running import run, said
from tests.each import each

TOKEN = "hf_SecretSecretSecret"
TOKENIZER = bpe.train(["低 lower lowest"], bpe.Recipe(merges=3), name="a|b`c")
FILE = files.dumps(bpe.train(["ab ab"], bpe.Recipe(merges=1)), "huggingface")["tokenizer.json"]


class Hub(ThreadingHTTPServer):
    """Repositories in memory; ``refuse`` answers a path that ends so with that status.

    Three can be fetched from: one good, one broken, one that never ends.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.repositories: dict[str, dict[str, bytes]] = {}
        self.private: dict[str, bool] = {}
        self.refuse: tuple[str, int] | None = None
        self.paths: list[str] = []


class Answers(BaseHTTPRequestHandler):
    server: Hub

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

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        hub, path = self.server, self.path
        hub.paths.append(path)
        if hub.refuse and path.endswith(hub.refuse[0]):
            return self._answer(hub.refuse[1], {"error": f"no, {self.headers['Authorization']}"})
        if path == "/api/validate-yaml":
            assert json.loads(body)["content"].startswith("---\nlibrary_name: tokenizers\n")
            return self._answer(200, {"errors": [], "warnings": []})
        if self.headers["Authorization"] != f"Bearer {TOKEN}":
            return self._answer(401, {"error": "Invalid credentials in Authorization header"})
        if path == "/api/repos/create":
            asked = json.loads(body)
            name = f"{asked['organization']}/{asked['name']}"
            address = f"http://127.0.0.1:{hub.server_port}/{name}"
            if name in hub.repositories:
                return self._answer(
                    409, {"error": "You already created this model repo", "url": address}
                )
            hub.repositories[name] = {}
            hub.private[name] = asked["visibility"] == "private"
            return self._answer(200, {"url": address})
        owner, name, action, _revision = path.removeprefix("/api/models/").split("/")
        repository = hub.repositories[f"{owner}/{name}"]
        if action == "preupload":
            modes = [
                {"path": file["path"], "uploadMode": "regular", "shouldIgnore": False}
                for file in json.loads(body)["files"]
            ]
            return self._answer(200, {"files": modes})
        for line in map(json.loads, body.splitlines()):
            if line["key"] == "file":
                repository[line["value"]["path"]] = base64.b64decode(line["value"]["content"])
        address = f"http://127.0.0.1:{hub.server_port}/{owner}/{name}/commit/{'1' * 40}"
        return self._answer(200, {"commitUrl": address, "commitOid": "1" * 40})

    def _answer(self, status: int, values: bytes | dict[str, Any]) -> None:
        content = values if isinstance(values, bytes) else json.dumps(values).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def running(monkeypatch) -> Iterator[Hub]:
    with Hub() as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}/")
        yield server
        server.shutdown()
        thread.join()


@pytest.mark.usefixtures("running")
def test_a_tokenizer_is_fetched():
    encoder = bpe.from_hub("owner/good", timeout=600)
    assert (encoder.name, encoder.encode("ab")) == ("owner/good", [256])


@pytest.mark.usefixtures("running")
@pytest.mark.parametrize(
    ("repository", "revision", "message"),
    [
        ("owner/none", None, r"The Hub has no public tokenizer\.json in that repository"),
        ("owner/good", "v9", r"The Hub has no public tokenizer\.json in that repository"),
        ("owner/gated", None, "it must be asked for"),
        ("owner/down", None, "gave no tokenizer.json within 600 seconds: “HTTP Error 503"),
        ("owner/broken", None, r"“tokenizer\.json” is a web page"),
    ],
)
def test_what_cannot_be_fetched_is_explained(repository, revision, message):
    with pytest.raises(BPEError, match=message):
        bpe.from_hub(repository, revision=revision, timeout=600)


@pytest.mark.usefixtures("running")
def test_the_timeout_is_for_the_whole_download():
    # Each byte comes in time, and the last one never.
    with pytest.raises(BPEError, match=r"gave no tokenizer\.json within 0\.3 seconds"):
        bpe.from_hub("owner/slow", timeout=0.3)


@pytest.mark.usefixtures("running")
def test_a_file_that_is_too_large_is_not_read_to_its_end(monkeypatch):
    monkeypatch.setattr(hub, "MAX_BYTES", 100)
    with pytest.raises(BPEError, match="which is the limit"):
        bpe.from_hub("owner/good", timeout=600)


def test_no_network_is_said_at_once(monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")  # no server listens there
    with pytest.raises(BPEError, match="Check the network and try again later, or upload"):
        bpe.from_hub("owner/good", timeout=600)


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

    bpe.from_hub(repository, revision=revision, timeout=3, fetch=fetch)
    assert asked == [(url, 3)]


def test_a_tokenizer_is_pushed_with_its_readme(running):
    token = f" {TOKEN}\n"
    address = hub.to_hub(TOKENIZER, "somebody/small", token=token)
    assert address == f"http://127.0.0.1:{running.server_port}/somebody/small"
    assert running.private == {"somebody/small": True}
    pushed = running.repositories["somebody/small"]
    assert sorted(pushed) == ["README.md", "tokenizer.json", "tokenizer_config.json"]
    again = files.loads({"tokenizer.json": pushed["tokenizer.json"]})
    assert again.encode("lowest 低") == TOKENIZER.encode("lowest 低")
    readme = pushed["README.md"].decode()
    assert readme.startswith("---\nlibrary_name: tokenizers\n")
    facts = json.loads(readme.partition("```json\n")[2].removesuffix("```\n"))
    assert (facts["name"], facts["digest"]) == (TOKENIZER.name, TOKENIZER.digest)
    assert facts["recipe"]["merges"] == 3
    assert TOKEN not in readme


def test_a_repository_that_exists_is_changed_only_when_asked(running):
    hub.to_hub(TOKENIZER, "somebody/small", token=TOKEN, private=False)
    running.repositories["somebody/small"]["README.md"] = b"mine"
    with pytest.raises(BPEError, match="There is a repository “somebody/small” already"):
        hub.to_hub(TOKENIZER, "somebody/small", token=TOKEN)
    assert running.repositories["somebody/small"]["README.md"] == b"mine"
    hub.to_hub(TOKENIZER, "somebody/small", token=TOKEN, update=True)
    assert running.repositories["somebody/small"]["README.md"] != b"mine"
    assert running.private == {"somebody/small": False}


@pytest.mark.parametrize(
    ("path", "status", "message"),
    [
        ("/create", 401, "does not let this token write to “somebody/small”"),
        ("/create", 404, "does not let this token write to “somebody/small”"),
        ("/create", 409, "There is a repository “somebody/small” already"),
        ("/create", 500, r"did not take the tokenizer within 60 seconds \(HTTP 500\)"),
        ("/commit/main", 403, "does not let this token write to “somebody/small”"),
    ],
)
def test_what_the_hub_refuses_is_explained_without_the_token(
    running, path, status, message, caplog
):
    caplog.set_level(logging.DEBUG)
    running.refuse = path, status
    with pytest.raises(BPEError, match=message) as raised:
        hub.to_hub(TOKENIZER, "somebody/small", token=TOKEN)
    assert (raised.value.__cause__, raised.value.__context__) == (None, None)
    assert TOKEN not in "".join(traceback.format_exception(raised.value))
    assert TOKEN not in caplog.text
    assert not any(running.repositories.values())


def test_no_network_is_said(monkeypatch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{port}")
    with pytest.raises(BPEError, match="did not take the tokenizer"):
        hub.to_hub(TOKENIZER, "somebody/small", token=TOKEN)


def test_a_hub_that_never_answers_is_given_up(monkeypatch):
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(BPEError, match=r"did not take the tokenizer within 0\.3 seconds"):
            hub.to_hub(TOKENIZER, "somebody/small", token=TOKEN, timeout=0.3)


NAMES = ["", "a/b/c", "../etc", "a b/c", "a/..", "a/../b", "a?b", "a/.b", "a/-b", "a/b.git", "a..b"]


@each([*NAMES, "a/b\n", "a/b--c", "http://example.org"])
def test_a_name_that_no_repository_can_have(repository):
    with pytest.raises(BPEError, match="cannot be a repository of the Hub"):
        hub.to_hub(TOKENIZER, repository, token=TOKEN)
    with pytest.raises(BPEError, match="cannot be a repository of the Hub"):
        bpe.from_hub(repository, fetch=lambda url, timeout: b"{}")


def test_characters_have_no_file_that_goes_there():
    recipe = bpe.Recipe(algorithm="character-bpe", merges=2)
    with pytest.raises(BPEError, match="cannot be written as “huggingface”"):
        hub.to_hub(bpe.train(["low lower"], recipe), "somebody/small", token=TOKEN)


@each(["", "  ", "two words", "hf_中", "hf_\x00"])
def test_what_cannot_be_a_token_is_not_sent(token):
    with pytest.raises(BPEError, match="That is no access token of the Hub"):
        hub.to_hub(TOKENIZER, "somebody/small", token=token)


def test_the_command_line_pushes_a_file(running, tmp_path, monkeypatch):
    bpe.save(replace(TOKENIZER, name="small"), tmp_path / "small.json")
    monkeypatch.delenv("HF_TOKEN", raising=False)
    given = ("push", tmp_path / "small.json", "somebody/small")
    sizes = said(*given, "--dry-run")["files"]  # says what would go, without a token
    assert {"tokenizer.json", "tokenizer_config.json", "README.md"} <= set(sizes)
    assert not running.paths
    refused = run(*given, code=2)
    assert "set the environment variable HF_TOKEN" in refused.errors
    monkeypatch.setenv("HF_TOKEN", TOKEN + "\n")
    address = f"http://127.0.0.1:{running.server_port}/somebody/small"
    assert said(*given) == {"repository": address}
    sent = running.repositories["somebody/small"]
    assert {name: len(sent[name]) for name in sizes} == sizes
    done = run(*given, "--update", "--public", "--json")
    assert TOKEN not in done.output + done.errors + refused.output + refused.errors
