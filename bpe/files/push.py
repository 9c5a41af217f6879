"""Putting a tokenizer on the Hugging Face Hub, or the mirror in ``HF_ENDPOINT``.

The token is one's own and used for this alone: it is stored nowhere, and no error holds it, nor the
request that had it.
"""

import os
import re
from collections.abc import Callable, Sequence
from typing import Any

from bpe import files
from bpe.encoders.base import Encoder
from bpe.encoders.byte_pair import BytePairEncoder
from bpe.encoders.character import CharacterTokenizer
from bpe.encoders.tokenizer_json import TokenizerJsonEncoder
from bpe.encoders.trained import Tokenizer
from bpe.errors import BPEError, from_extra
from bpe.files import huggingface
from bpe.files.hub import HUB
from bpe.progress import while_waiting

Pushed = BytePairEncoder | CharacterTokenizer | TokenizerJsonEncoder
Measure = Callable[[Encoder], Sequence[str]]
"""Returns lines of Markdown about a tokenizer, as :func:`bpe.analysis.metrics.as_markdown` does."""
OnStep = Callable[[str], object]
"""Called with ``"measuring"``, ``"creating"`` and ``"uploading"``, over and over while it lasts."""

_PART = r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,94}[A-Za-z0-9_])?"
_REPOSITORY = re.compile(f"{_PART}/{_PART}")
_CODE = str.maketrans({"`": "ˋ", "\n": "⏎", "|": "¦", "\r": "␍"})


def to_hub(
    tokenizer: Encoder,
    repository: str,
    *,
    token: str,
    title: str | None = None,
    private: bool = True,
    update: bool = False,
    timeout: float = 60,
    measure: Measure = lambda tokenizer: (),
    on_step: OnStep = lambda step: None,
) -> str:
    """Put a tokenizer into a repository ``owner/name`` of the Hub and return its address.

    There are ``tokenizer.json``, ``tokenizer_config.json`` and a README with the recipe, the
    digests and what ``measure`` says, under ``title`` or the tokenizer's name. The repository is
    made; one that exists is changed only with ``update``, and stays as private as it is.
    ``on_step`` is called in this thread and may raise to stop waiting. What the Hub refuses, and
    no answer within ``timeout`` seconds, raise :class:`BPEError`.
    """
    check_repository(repository)
    token = token.strip()
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise BPEError(
            "That is no access token of the Hub. Make one there with the right to write."
        )
    with from_extra("hub"):
        from huggingface_hub import CommitOperationAdd, HfApi
    on_step("measuring")
    files = files_of(tokenizer, repository, title, measure(tokenizer))
    step = "creating"

    def push() -> int | None:
        nonlocal step
        try:
            api = HfApi(endpoint=_endpoint(), token=token)
            api.create_repo(repository, private=private, exist_ok=update)
            step = "uploading"
            operations: list[Any] = [CommitOperationAdd(*file) for file in files.items()]
            said = "Add the tokenizer of BPE Playground"
            api.create_commit(repository, operations, commit_message=said)
        except Exception as error:
            # It holds the request, and that the token: only the number is passed on.
            return getattr(getattr(error, "response", None), "status_code", 0)
        return None

    on_step(step)
    try:
        failed = while_waiting(push, lambda: on_step(step), timeout)
    except TimeoutError:
        raise BPEError(
            "The Hub did not take the tokenizer within {timeout:g} seconds. Look there before you "
            "try again: a part may have arrived.",
            timeout=timeout,
        ) from None
    if failed is not None:
        raise _error(failed, repository)
    return f"{_endpoint()}/{repository}"


def check_repository(repository: str) -> None:
    """Raise :class:`BPEError` for a name that no repository of a user can have."""
    forbidden = ("..", "--")
    if (
        not _REPOSITORY.fullmatch(repository)
        or any(part in repository for part in forbidden)
        or repository.endswith(".git")
    ):
        raise BPEError(
            "“{repository}” cannot be a repository of the Hub. Write it as owner/name.",
            repository=repository[:200],
        )


def files_of(
    tokenizer: Encoder, repository: str, title: str | None = None, measured: Sequence[str] = ()
) -> dict[str, bytes]:
    if not isinstance(tokenizer, Pushed):
        raise BPEError("Only tokenizers that were trained or uploaded here can go to the Hub.")
    return {
        **files.dumps(tokenizer, "huggingface"),
        **huggingface.dumps_config(tokenizer),
        "README.md": card(tokenizer, repository, title, measured).encode("utf-8", "replace"),
    }


def card(
    tokenizer: Encoder, repository: str, title: str | None = None, measured: Sequence[str] = ()
) -> str:
    """Return the README: recipe, digests, and ``measured``, lines of Markdown."""
    lines = [
        "---",
        "library_name: tokenizers",
        "tags:",
        "- tokenizer",
        "---",
        "",
        f"# {_code(title or tokenizer.name)}",
        "",
        "| | |",
        "|---|---|",
        f"| Kind | {_code(tokenizer.kind)} |",
        f"| Vocabulary | {tokenizer.vocabulary_size:,} |",
    ]
    if isinstance(tokenizer, Tokenizer):
        lines += [
            f"| Merges | {len(tokenizer.merges):,} |",
            f"| Digest | {_code(tokenizer.digest)} |",
            f"| Digest of the corpus | {_code(tokenizer.corpus_digest)} |",
            *(
                f"| Recipe: {field} | {_code(str(value))} |"
                for field, value in tokenizer.recipe.as_json().items()
                if value not in (None, (), [], "")
            ),
        ]
    lines += [
        "",
        *measured,
        "",
        "```python",
        "from tokenizers import Tokenizer",
        "",
        f'tokenizer = Tokenizer.from_pretrained("{repository}")',
        "```",
    ]
    return "\n".join(lines) + "\n"


def _code(text: str) -> str:
    """Return untrusted text as code, so that it is shown as it is."""
    return f"`{text.translate(_CODE)}`" if text.strip() else "–"


def _endpoint() -> str:
    return os.environ.get("HF_ENDPOINT", HUB).rstrip("/")


def _error(status: int, repository: str) -> BPEError:
    match status:
        case 401:
            return BPEError(
                "The Hub does not accept this token. Make a new one there, with the right to write."
            )
        case 402 | 403:
            return BPEError(
                "The token may not write to “{repository}”. Give it the right to write, or choose "
                "a repository of your own.",
                repository=repository,
            )
        case 404:
            return BPEError(
                "The Hub knows no “{repository}” that this token can see. Is the owner spelled "
                "correctly?",
                repository=repository,
            )
        case 409 | 412:
            return BPEError(
                "There is a repository “{repository}” already, or it has just changed. Choose "
                "another name, or ask for it to be updated.",
                repository=repository,
            )
        case 429:
            return BPEError(
                "The Hub has had too many requests and asks to wait. Try again in an hour."
            )
        case 0:
            return BPEError(
                "The Hub could not be reached, or its answer cannot be understood. Check the "
                "network and try again."
            )
    return BPEError(
        "The Hub refused the tokenizer (HTTP {status}). Try again later.", status=status
    )
