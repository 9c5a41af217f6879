"""Fetching a ``tokenizer.json`` from the Hugging Face Hub, or from the mirror in ``HF_ENDPOINT``.

Only that one file is fetched, anonymously and with a limit on time and size; nothing is cached.
"""

import os
import re
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping

from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from bpe.files import isolated
from bpe.reading import MAX_BYTES, json_object

FILE = "tokenizer.json"
HUB = "https://huggingface.co"

_PART = r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}"
_REPOSITORY = re.compile(f"{_PART}(?:/{_PART})?")
_BLOCK = 1 << 16


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
    return isolated.encoder(_from_file, {FILE: content}, name=repository)


def _from_file(files: Mapping[str, bytes], *, name: str) -> Encoder:
    from bpe.encoders import tokenizer_json  # only here: tokenizers takes long

    return tokenizer_json.from_json(json_object(files[FILE], FILE), name=name)


def hub_url(repository: str, revision: str | None = None) -> str:
    """Return where the file is; a name that no repository can have raises :class:`BPEError`."""
    if not _REPOSITORY.fullmatch(repository) or ".." in repository:
        raise BPEError(
            "“{repository}” cannot be a repository of the Hub. Write it as owner/name.",
            repository=repository,
        )
    hub = os.environ.get("HF_ENDPOINT", HUB).rstrip("/")
    quoted = urllib.parse.quote(revision or "main", safe="")
    return f"{hub}/{repository}/resolve/{quoted}/{FILE}"


def download(url: str, timeout: float) -> bytes:
    """Return the content at ``url``, all of it within ``timeout`` seconds.

    The work is done in a thread, as looking up a host name knows no timeout.
    """
    results: list[bytes | Exception] = []

    def work() -> None:
        try:
            results.append(_read(url, timeout))
        except Exception as error:
            results.append(error)

    thread = threading.Thread(target=work, name="download from the Hub", daemon=True)
    thread.start()
    thread.join(timeout)
    result = results[0] if results else TimeoutError()
    if isinstance(result, bytes):
        return result
    if isinstance(result, BPEError):
        raise result
    if isinstance(result, urllib.error.HTTPError):
        result.close()
        if result.code in (401, 403, 404):  # the Hub says 401 of what it does not show to all
            raise BPEError(
                "The Hub has no public {file} in that repository, or it must be asked for. "
                "Download the file yourself and upload it here.",
                file=FILE,
            ) from result
        raise BPEError(
            "The Hub answered with the error {code}. Try again later, or upload the {file} itself.",
            code=result.code,
            file=FILE,
        ) from result
    raise BPEError(
        "The Hub could not be reached within {timeout:g} seconds. Check the network and try "
        "again, or upload the {file} itself.",
        timeout=timeout,
        file=FILE,
    ) from result


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
