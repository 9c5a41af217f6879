"""What a chat's frame adds to the tokens of its texts: roles, separators, the primed reply.

Only the rule that OpenAI's cookbook gives is known. It names snapshots of GPT-3.5, GPT-4, GPT-4o
and GPT-4o mini and warns that later ones may differ (for GPT-5 it has been seen to be off by one),
so other models get no number.
"""

from dataclasses import dataclass
from fnmatch import fnmatchcase

from bpe.errors import BPEError
from bpe.pricing import words
from bpe.pricing.records import Model
from bpe.pricing.sentence import Sentence

PER_MESSAGE = 3
PER_ROLE = 1  # "system", "user" and "assistant" are one token each in cl100k_base and o200k_base
PER_NAME = 1
REPLY = 3
COOKBOOK = "https://developers.openai.com/cookbook/examples/how_to_count_tokens_with_tiktoken"

_FAMILY = ("gpt-3.5-turbo", "gpt-4", "gpt-4-turbo", "gpt-4o", "gpt-4o-mini")


@dataclass(frozen=True, slots=True)
class ChatOverhead:
    """Tokens that a chat adds to its texts: for frames, role words and the start of the reply."""

    frames: int
    roles: int
    names: int
    reply: int
    rule: Sentence
    source: str

    @property
    def tokens(self) -> int:
        """All of it."""
        return self.frames + self.roles + self.names + self.reply


def chat_overhead(model: Model, messages: int, *, names: int = 0) -> ChatOverhead | None:
    """Return what ``messages`` messages add, or ``None`` where no rule is known.

    ``names`` is the number of messages with a name; the name itself is text, counted as such. For
    ``None`` show :data:`bpe.pricing.words.CHAT_UNKNOWN`.
    """
    if not 0 <= names <= messages:
        raise BPEError(
            "{messages} messages with {names} names cannot be: give zero or more messages, and "
            "at most one name for each.",
            messages=messages,
            names=names,
        )
    if model.provider != "openai" or not any(fnmatchcase(model.ref, p) for p in _FAMILY):
        return None
    rule = Sentence.of(words.CHAT_RULE, per_message=PER_MESSAGE, per_name=PER_NAME, reply=REPLY)
    return ChatOverhead(
        PER_MESSAGE * messages, PER_ROLE * messages, PER_NAME * names, REPLY, rule, COOKBOOK
    )
