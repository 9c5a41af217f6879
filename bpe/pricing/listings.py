"""Which rows of the big price list are shown, and what vendor stands behind them.

The list holds thousands of rows: resellers, images, speech, retired snapshots. Shown are the text
models that a vendor sells itself, and a few hosts for open models that their makers do not host.
Patterns are those of a shell, matched against the lower-case model id.
"""

from dataclasses import dataclass
from fnmatch import fnmatchcase

from bpe.pricing import words


@dataclass(frozen=True, slots=True)
class Listing:
    """One provider of the price list, as shown here.

    ``country`` is the vendor's home (ISO 3166), ``region`` where this price list holds.
    ``open_weights`` is what is true of all its models, or ``None``.
    """

    provider: str
    vendor: str
    country: str
    region: str = words.GLOBAL
    open_weights: bool | None = None
    shown: str = "*"
    hidden: str = ""
    withdrawn: str = ""
    stale: str = ""

    def shows(self, ref: str) -> bool:
        """Return whether a model of this provider belongs in the table."""
        return _fits(ref, self.shown) and not _fits(ref, self.hidden)

    def end_of(self, ref: str) -> str | None:
        """Return why a model is shown only on request, as far as we know by ourselves."""
        if _fits(ref, self.stale):
            return words.STALE_ROW
        return words.WITHDRAWN if _fits(ref, self.withdrawn) else None


LISTINGS = (
    Listing(
        "openai", "OpenAI", "US", open_weights=False,
        hidden="*audio* *realtime* *transcribe* *tts* *image* *embedding* *moderation* whisper* "
        "*search* computer-use* *deep-research* gpt-live* *cyber* *rosalind* *:extended "
        "ada babbage* curie davinci* ft:* *.ft-* *gpt-oss* gpt-4-vision*",
        withdrawn="gpt-3.5-0301 gpt-3.5-turbo-0613 gpt-3.5-turbo-1106 gpt-3.5-turbo-16k "
        "gpt-4-32k gpt-4.5-* gpt-4o-2024-05-13 chatgpt-4o-* codex-mini o1-mini o1-preview text-*",
    ),
    Listing(
        "anthropic", "Anthropic", "US", open_weights=False,
        withdrawn="claude-v1 claude-2 claude-3* claude-opus-4-0 claude-opus-4-1 claude-sonnet-4-0",
    ),
    Listing(
        "google", "Google", "US",
        shown="gemini-* gemma-*",
        hidden="*image* *tts* *live* *embedding* *omni* *banana* *robotics* *vision*",
        withdrawn="gemini-1.* gemini-flash-1.5* gemini-pro* gemma-2*",
    ),
    Listing(
        "deepseek", "DeepSeek", "CN",
        withdrawn="deepseek-v3* deepseek-v4-flash",
        stale="deepseek-chat deepseek-reasoner",
    ),
    Listing("moonshotai", "Moonshot", "CN"),
    Listing("zai", "Zhipu", "CN", words.INTERNATIONAL, hidden="*ocr*"),
    Listing("zhipuai", "Zhipu", "CN", words.MAINLAND, hidden="*assistant*"),
    Listing(
        "mistral", "Mistral", "FR",
        hidden="*ocr* *embed* voxtral* zai-* deepseek-* *:free *-latest",
        withdrawn="codestral ministral-3b ministral-8b mistral-7b mistral-large "
        "mistral-medium-2312 mistral-saba mistral-small-24b-* mistral-small-3.* mistral-nemo "
        "mixtral-* pixtral-*",
    ),
    Listing("minimax", "MiniMax", "CN", words.INTERNATIONAL, hidden="m2-her"),
    Listing("x-ai", "xAI", "US", hidden="*voice* *vision* *image*", withdrawn="grok-2*"),
    Listing("meta", "Meta", "US"),
    Listing("groq", "Meta", "US", open_weights=True,
            shown="llama-3.1-8b-instant llama-3.3-70b-versatile meta-llama/llama-4-*"),
    Listing("together", "Meta", "US", open_weights=True,
            shown="meta-llama/llama-3.3-70b-instruct-turbo meta-llama/llama-4-*"),
    Listing("groq", "OpenAI", "US", open_weights=True, shown="openai/gpt-oss-?*b",
            hidden="*safeguard*"),
)  # fmt: skip

OWN = {
    "alibaba": Listing("alibaba", "Alibaba", "CN", words.INTERNATIONAL),
    "alibaba-cn": Listing("alibaba-cn", "Alibaba", "CN", words.MAINLAND),
}
"""Providers whose prices are ours (``prices.toml``), by name."""


def _fits(ref: str, patterns: str) -> bool:
    return any(fnmatchcase(ref.lower(), pattern) for pattern in patterns.split())
