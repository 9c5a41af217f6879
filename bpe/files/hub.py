"""The Hugging Face Hub, or its mirror in ``HF_ENDPOINT``: tokenizers from there.

Of a repository only ``tokenizer.json`` is fetched, anonymously and with a limit on time and size;
nothing is cached.
"""

import os
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping

from bpe.encoders.base import Encoder
from bpe.errors import BPEError
from bpe.files import isolated
from bpe.progress import while_waiting
from bpe.reading import MAX_BYTES, json_object

FILE = "tokenizer.json"
HUB = "https://huggingface.co"

_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,94}[A-Za-z0-9_])?"
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
    forbidden = ".." in repository or "--" in repository or repository.endswith(".git")
    if forbidden or not re.fullmatch(f"(?:{_NAME}/)?{_NAME}", repository):
        raise BPEError(
            "“{repository}” cannot be a repository of the Hub. Write it as owner/name.",
            repository=repository[:200],
        )
    quoted = urllib.parse.quote(revision or "main", safe="")
    return f"{_endpoint()}/{repository}/resolve/{quoted}/{FILE}"


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
    except urllib.error.HTTPError as error:
        error.close()
        if error.code in (401, 403, 404):  # the Hub says 401 of what it does not show to all
            raise BPEError(
                "The Hub has no public {file} in that repository, or it must be asked for. "
                "Download the file yourself and upload it here.",
                file=FILE,
            ) from error
        raise BPEError(
            "The Hub answered with the error {code}. Try again later, or upload the {file} itself.",
            code=error.code,
            file=FILE,
        ) from error
    except Exception as error:
        raise BPEError(
            "The Hub could not be reached within {timeout:g} seconds. Check the network and try "
            "again, or upload the {file} itself.",
            timeout=timeout,
            file=FILE,
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
