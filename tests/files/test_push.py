"""A tokenizer goes to the Hub: to a stand-in that speaks as much of its protocol as is used."""

import base64
import json
import logging
import socket
import traceback
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import bpe
from bpe import files
from bpe.analysis import metrics
from bpe.errors import BPEError
from bpe.files import push
from tests.cli.running import run, said

TOKEN = "hf_SecretSecretSecret"
TOKENIZER = bpe.train(["低 lower lowest"], bpe.Recipe(merges=3), name="a|b`c")


class Hub(ThreadingHTTPServer):
    """Repositories in memory; ``refuse`` answers a path that ends so with that status."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.repositories: dict[str, dict[str, bytes]] = {}
        self.private: dict[str, bool] = {}
        self.refuse: tuple[str, int] | None = None
        self.paths: list[str] = []


class Answers(BaseHTTPRequestHandler):
    server: Hub

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

    def _answer(self, status: int, values: dict[str, Any]) -> None:
        content = json.dumps(values).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    with Hub() as running:
        thread = Thread(target=running.serve_forever)
        thread.start()
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{running.server_port}")
        yield running
        running.shutdown()
        thread.join()


def test_a_tokenizer_is_pushed_with_its_readme(hub: Hub) -> None:
    steps: list[str] = []
    address = push.to_hub(
        TOKENIZER,
        "somebody/small",
        token=f" {TOKEN}\n",
        measure=metrics.as_markdown,
        on_step=steps.append,
    )
    assert address == f"http://127.0.0.1:{hub.server_port}/somebody/small"
    assert hub.private == {"somebody/small": True}
    assert steps[:2] == ["measuring", "creating"]
    pushed = hub.repositories["somebody/small"]
    assert sorted(pushed) == ["README.md", "tokenizer.json", "tokenizer_config.json"]
    again = files.loads({"tokenizer.json": pushed["tokenizer.json"]})
    assert again.encode("lowest 低") == TOKENIZER.encode("lowest 低")
    readme = pushed["README.md"].decode()
    assert readme.startswith("---\nlibrary_name: tokenizers\n")
    assert "# `a¦bˋc`" in readme
    assert f"| Digest | `{TOKENIZER.digest}` |" in readme
    assert "| Recipe: merges | `3` |" in readme
    assert "| Bytes per token | " in readme
    assert TOKEN not in readme


def test_a_repository_that_exists_is_changed_only_when_asked(hub: Hub) -> None:
    push.to_hub(TOKENIZER, "somebody/small", token=TOKEN, private=False)
    hub.repositories["somebody/small"]["README.md"] = b"mine"
    with pytest.raises(BPEError, match="There is a repository “somebody/small” already"):
        push.to_hub(TOKENIZER, "somebody/small", token=TOKEN)
    assert hub.repositories["somebody/small"]["README.md"] == b"mine"
    push.to_hub(TOKENIZER, "somebody/small", token=TOKEN, update=True)
    assert hub.repositories["somebody/small"]["README.md"] != b"mine"
    assert hub.private == {"somebody/small": False}


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (401, "does not accept this token"),
        (403, "may not write to “somebody/small”"),
        (404, "knows no “somebody/small”"),
        (409, "There is a repository “somebody/small” already"),
        (429, "too many requests"),
        (500, r"refused the tokenizer \(HTTP 500\)"),
    ],
)
def test_what_the_hub_refuses_is_explained_without_the_token(
    hub: Hub, status: int, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    hub.refuse = ("/create", status)
    with pytest.raises(BPEError, match=message) as raised:
        push.to_hub(TOKENIZER, "somebody/small", token=TOKEN)
    assert (raised.value.__cause__, raised.value.__context__) == (None, None)
    assert TOKEN not in "".join(traceback.format_exception(raised.value))
    assert TOKEN not in caplog.text
    assert hub.repositories == {}


def test_a_commit_that_is_refused_is_explained(hub: Hub) -> None:
    hub.refuse = ("/commit/main", 403)
    with pytest.raises(BPEError, match="may not write to “somebody/small”"):
        push.to_hub(TOKENIZER, "somebody/small", token=TOKEN)


def test_another_token_is_refused(hub: Hub) -> None:
    with pytest.raises(BPEError, match="does not accept this token"):
        push.to_hub(TOKENIZER, "somebody/small", token="hf_other")


def test_no_network_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{port}")
    with pytest.raises(BPEError, match="The Hub could not be reached"):
        push.to_hub(TOKENIZER, "somebody/small", token=TOKEN)


def test_a_hub_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(BPEError, match=r"did not take the tokenizer within 0\.3 seconds"):
            push.to_hub(TOKENIZER, "somebody/small", token=TOKEN, timeout=0.3)


@pytest.mark.parametrize(
    "repository",
    ["", "small", "a/b/c", "../etc", "a b/c", "a/..", "a/b.git", "a/-b", "a/b\n", "a/b--c"],
)
def test_a_name_that_no_repository_can_have(repository: str) -> None:
    with pytest.raises(BPEError, match="cannot be a repository of the Hub"):
        push.to_hub(TOKENIZER, repository, token=TOKEN)


@pytest.mark.parametrize("token", ["", "  ", "two words", "hf_中", "hf_\x00"])
def test_what_cannot_be_a_token_is_not_sent(token: str) -> None:
    with pytest.raises(BPEError, match="That is no access token of the Hub"):
        push.to_hub(TOKENIZER, "somebody/small", token=token)


def test_the_command_line_pushes_a_file(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bpe.save(replace(TOKENIZER, name="small"), tmp_path / "small.json")
    monkeypatch.delenv("HF_TOKEN", raising=False)
    given = ("push", tmp_path / "small.json", "somebody/small")
    sizes = said(*given, "--dry-run")["files"]  # says what would go, without a token
    assert {"tokenizer.json", "tokenizer_config.json", "README.md"} <= set(sizes)
    assert not hub.paths
    refused = run(*given, code=2)
    assert "set the environment variable HF_TOKEN" in refused.errors
    monkeypatch.setenv("HF_TOKEN", TOKEN + "\n")
    address = f"http://127.0.0.1:{hub.server_port}/somebody/small"
    assert said(*given) == {"repository": address}
    sent = hub.repositories["somebody/small"]
    assert {name: len(sent[name]) for name in sizes} == sizes
    done = run(*given, "--update", "--public", "--json")
    assert TOKEN not in done.output + done.errors + refused.output + refused.errors
