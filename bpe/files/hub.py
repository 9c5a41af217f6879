"""The Hugging Face Hub, or its mirror in ``HF_ENDPOINT``: tokenizers from there, and to there.

Of a repository only ``tokenizer.json`` is fetched, anonymously and with a limit on time and size;
nothing is cached. The token that writes is one's own and used for this alone: it is stored nowhere,
and no error holds it, nor the request that had it.
"""

import json
import os
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from typing import Any

from bpe import files
from bpe.encoders.base import Encoder
from bpe.encoders.trained import Tokenizer
from bpe.errors import BPEError, from_extra
from bpe.files import huggingface
from bpe.progress import while_waiting
from bpe.reading import MAX_BYTES

FILE = "tokenizer.json"
HUB = "https://huggingface.co"

_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,94}[A-Za-z0-9_])?"
_BLOCK = 1 << 16
_README = """---
library_name: tokenizers
tags:
- tokenizer
---

```python
from tokenizers import Tokenizer

tokenizer = Tokenizer.from_pretrained("{}")
```

```json
{}
```
"""


def from_hub(
    repository: str,
    *,
    revision: str | None = None,
    timeout: float = 10,
    fetch: Callable[[str, float], bytes] | None = None,
) -> Encoder:
    """Return the tokenizer of a repository on the Hub, such as ``Qwen/Qwen2.5-0.5B``.

    ``revision`` is a branch, tag or commit. ``timeout`` is in seconds for the whole download.
    ``fetch(url, timeout)`` replaces the download. No network, no such file, one that has to be
    asked for, and one that is too large raise :class:`BPEError`.
    """
    content = (fetch or download)(hub_url(repository, revision), timeout)
    return files.loads({FILE: content}, name=repository)


def hub_url(repository: str, revision: str | None = None) -> str:
    """Return where the file is; a name that no repository can have raises :class:`BPEError`."""
    check_repository(repository, needs_owner=False)
    quoted = urllib.parse.quote(revision or "main", safe="")
    return f"{_endpoint()}/{repository}/resolve/{quoted}/{FILE}"


def check_repository(repository: str, *, needs_owner: bool = True) -> None:
    """Raise :class:`BPEError` for an ``owner/name`` that no repository can have."""
    forbidden = ".." in repository or "--" in repository or repository.endswith(".git")
    owner = f"{_NAME}/" if needs_owner else f"(?:{_NAME}/)?"
    if forbidden or not re.fullmatch(owner + _NAME, repository):
        raise BPEError(
            "“{repository}” cannot be a repository of the Hub. Write it as owner/name.",
            repository=repository[:200],
        )


def _endpoint() -> str:
    return os.environ.get("HF_ENDPOINT", HUB).rstrip("/")


def download(url: str, timeout: float, on_wait: Callable[[], object] = lambda: None) -> bytes:
    """Return the content at ``url``, all of it within ``timeout`` seconds.

    ``on_wait`` is called meanwhile, and may raise to give up.
    """
    try:
        return while_waiting(lambda: _read(url, timeout), on_wait, timeout)
    except BPEError:
        raise
    except Exception as error:
        if isinstance(error, urllib.error.HTTPError):
            error.close()
            if error.code in (401, 403, 404):  # the Hub says 401 of what it does not show to all
                raise BPEError(
                    "The Hub has no public {file} in that repository, or it must be asked for. "
                    "Download the file yourself and upload it here.",
                    file=FILE,
                ) from error
        raise BPEError(
            "The Hub gave no {file} within {timeout:g} seconds: “{reason}”. Check the network and "
            "try again later, or upload the file itself.",
            file=FILE,
            timeout=timeout,
            reason=str(error) or type(error).__name__,
        ) from error


def _read(url: str, timeout: float) -> bytes:
    end = time.monotonic() + timeout
    content = bytearray()
    with urllib.request.urlopen(url, timeout=timeout) as response:
        while block := response.read1(_BLOCK):
            content += block
            if len(content) > MAX_BYTES:
                raise BPEError(
                    "The {file} has more than {limit} MB, which is the limit.",
                    file=FILE,
                    limit=MAX_BYTES >> 20,
                )
            if time.monotonic() > end:
                raise TimeoutError
    return bytes(content)


def to_hub(
    tokenizer: Encoder,
    repository: str,
    *,
    token: str,
    private: bool = True,
    update: bool = False,
    timeout: float = 60,
) -> str:
    """Put a tokenizer into a repository ``owner/name`` of the Hub and return its address.

    There are ``tokenizer.json``, ``tokenizer_config.json`` and a README with the recipe and the
    digests. The repository is made; one that exists is changed only with
    ``update``, and stays as private as it is. What the Hub refuses, and no answer within
    ``timeout`` seconds, raise :class:`BPEError`.
    """
    check_repository(repository)
    token = token.strip()
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise BPEError(
            "That is no access token of the Hub. Make one there with the right to write."
        )
    with from_extra("hub"):
        from huggingface_hub import CommitOperationAdd, HfApi
    content = files_of(tokenizer, repository)

    def push() -> int | None:
        try:
            api = HfApi(endpoint=_endpoint(), token=token)
            api.create_repo(repository, private=private, exist_ok=update)
            operations: list[Any] = [CommitOperationAdd(*file) for file in content.items()]
            title = "Add the tokenizer of BPE Playground"
            api.create_commit(repository, operations, commit_message=title)
        except Exception as error:
            # It holds the request, and that the token: only the number is passed on.
            return getattr(getattr(error, "response", None), "status_code", 0)
        return None

    try:
        status = while_waiting(push, seconds=timeout)
    except TimeoutError:
        status = 408
    if status is None:
        return f"{_endpoint()}/{repository}"
    if status in (401, 402, 403, 404):
        raise BPEError(
            "The Hub does not let this token write to “{repository}”. Is the owner spelled "
            "correctly, and has the token the right to write?",
            repository=repository,
        )
    if status in (409, 412):
        raise BPEError(
            "There is a repository “{repository}” already, or it has just changed. Choose "
            "another name, or ask for it to be updated.",
            repository=repository,
        )
    raise BPEError(
        "The Hub did not take the tokenizer within {timeout:g} seconds (HTTP {status}). Check the "
        "network, and look there before you try again: a part may have arrived.",
        timeout=timeout,
        status=status or "–",
    )


def files_of(tokenizer: Encoder, repository: str) -> dict[str, bytes]:
    """Return all files of a repository."""
    return {
        **files.dumps(tokenizer, "huggingface"),
        **huggingface.dumps_config(tokenizer),
        "README.md": _readme(tokenizer, repository).encode("utf-8", "replace"),
    }


def _readme(tokenizer: Encoder, repository: str) -> str:
    """Return the page of a repository; what is untrusted in it stands inside of JSON."""
    facts: dict[str, Any] = {"name": tokenizer.name, "kind": tokenizer.kind}
    if isinstance(tokenizer, Tokenizer):
        facts |= {"digest": tokenizer.digest, "corpus_digest": tokenizer.corpus_digest}
        facts["recipe"] = tokenizer.recipe.as_json()
    return _README.format(repository, json.dumps(facts, ensure_ascii=False, indent=1))
