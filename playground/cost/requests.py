"""One request: a chat that grows, or messages counted part by part beside the vendor's bill."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from bpe import pricing
from bpe.encoders import catalog
from bpe.encoders.base import Encoder
from bpe.pricing import Count, Model, RequestCount, Sentence, messages
from bpe.reading import errors_as, parse_json
from playground import session
from playground.cost import chat, layout, models
from playground.cost.price_settings import PricingContext
from playground.ui import fields, tables
from playground.ui.i18n import _, plain, sentence, sentences_joined

MOST = 200_000
"""Characters of a request or a usage object."""
_EXAMPLE = """{"messages": [
  {"role": "system", "content": "Answer briefly."},
  {"role": "user", "content": "你好，今天天气怎么样？"}
]}"""


Inputs = tuple[Callable[[PricingContext, Any], None], Any]
"""The function that draws the result, and the values of the fields."""


def choose(context: PricingContext) -> Inputs:
    labels = {"conversation": _("A chat that grows"), "messages": _("Messages and tools")}
    if fields.segments(_("What is asked"), labels, key="request_of") == "messages":
        return _show_messages, (models.choose_one(context), _own_tokenizer())
    return chat.show, chat.choose(context)


def show(context: PricingContext, inputs: Inputs) -> None:
    draw, chosen = inputs
    draw(context, chosen)


def _show_messages(context: PricingContext, inputs: tuple[Model, Encoder | None]) -> None:
    model, encoder = inputs
    st.caption(
        _(
            "Messages and tools as they are sent to an API, or the tools that an MCP server "
            "lists, counted with what a chat puts around them, for {model}."
        ).format(model=plain(context.names[model.id]))
    )
    request_text = st.text_area(
        _("Request (JSON)"), _EXAMPLE, key="request_json", max_chars=MOST, height=140
    )
    usage = st.text_area(
        _("What the vendor billed: the “usage” object of its response (JSON)"),
        key="request_usage", max_chars=MOST, height=100,
        placeholder='{"prompt_tokens": 42, "completion_tokens": 7}',
    )  # fmt: skip
    answer = st.text_area(_("Text of the answer"), key="request_answer", max_chars=MOST, height=80)
    before = st.text_area(
        _("The request before it (JSON): where both part, and what a cache saves"),
        key="request_before", max_chars=MOST, height=80,
    )  # fmt: skip
    data = _json(request_text)
    if tools := pricing.tools_in(data):
        _tools(pricing.tool_tokens(tools, model=model, encoder=encoder))
    if isinstance(data, dict) and data.keys() <= {"tools", "result", "jsonrpc", "id"}:
        return  # what an MCP server lists
    request = _counted(model, data, encoder)
    _parts(request)
    if before.strip():
        _prefix(context, model, _json(before), data)
    if usage.strip():
        _bill(context, model, request, _json(usage), _answer(model, answer, encoder))


def _own_tokenizer() -> Encoder | None:
    """Draw the choice of a tokenizer of one's own in the place of the vendor's."""
    own = session.own()
    if not own:
        return None
    names = {"": _("that of the model"), **{code: session.label(code) for code in own}}
    code = st.selectbox(
        _("Tokenizer"), list(names), format_func=lambda code: names[code], key="request_tokenizer"
    )
    return own.get(code)


def _answer(model: Model, text: str, encoder: Encoder | None) -> Count | None:
    if encoder is None or not text:
        return pricing.count_tokens(model, text, catalog.encoding) if text else None
    method = Sentence.of(messages.METHOD_EXACT, encoding=encoder.name)
    return Count.exactly(encoder.count(text), method)


def _counted(model: Model, data: Any, encoder: Encoder | None) -> RequestCount:
    sent, tools = pricing.read_request(data)
    return pricing.count_messages(
        sent, model=model, tools=tools, encoder=encoder, uncounted=pricing.uncounted_in(data)
    )


def _json(text: str) -> Any:
    with errors_as("This cannot be read as JSON: {reason}"):
        return parse_json(text.encode("utf-8", "replace"))


def _parts(request: RequestCount) -> None:
    parts = (
        (_("Text"), request.text, request.text_is),
        (_("Roles and messages"), request.frame, request.frame_is),
        (_("Tools"), request.tools, request.tools_is),
        (_("Together"), request.total, "at least" if request.at_least else request.exactness),
    )
    tables.show_rows(
        parts,
        {
            "part": (tables.text(_("Part")), lambda part: part[0]),
            "tokens": (tables.number(_("Tokens")), lambda part: part[1] if part[2] else None),
            "sure": (tables.text(_("How sure")), lambda part: _sure(part[2])),
        },
        alt_text=_("The request, part by part"),
    )
    lines = [f"- {plain(sentence(note))}" for note in request.notes]
    if request.source:
        lines.append(f"- [{_('The rule at its source')}]({request.source})")
    st.caption("\n".join(lines))


def _prefix(context: PricingContext, model: Model, before: Any, now: Any) -> None:
    first, second = map(pricing.read_request, (before, now))
    shared = pricing.shared_prefix(model, first, second, context.terms)
    same = _("Both begin with the same {tokens} tokens; read from the cache they save {money}.")
    money = context.money.markdown(shared.saving)
    lines = [same.format(tokens=f"{shared.tokens:,}", money=money)]
    if shared.part:
        part = _("the tools") if shared.part == "tools" else _("message {number}")
        lines.append(
            _("They part in {part}: “{before}” before, “{now}” now.").format(
                part=part.format(number=shared.part),
                before=plain(shared.before),
                now=plain(shared.after),
            )
        )
    lines += [sentence(shared.note)] if shared.note else []
    st.markdown(sentences_joined(*lines))


def _sure(how: str | None) -> str:
    names = {"exact": _("exact"), "estimate": _("estimated"), "at least": _("at least")}
    return names.get(how or "", _("unknown"))


def _tools(rows: list[tuple[str, int]]) -> None:
    tables.show_rows(
        rows,
        {
            "tool": (tables.text(_("Tool")), lambda row: row[0]),
            "tokens": (tables.number(_("Tokens in every request")), lambda row: row[1]),
        },
        alt_text=_("The tools by tokens, the costliest first"),
    )


def _bill(
    context: PricingContext, model: Model, request: RequestCount, usage: Any, answer: Count | None
) -> None:
    check = pricing.check_usage(model, request, usage, answer, context.terms)
    names = {
        "input": _("Input"),
        "cached": _("From the cache"),
        "written": _("Written to the cache"),
        "answer": _("Answer"),
        "reasoning": _("Hidden reasoning"),
        "cache_write_1h_tokens": _("input written to the cache for an hour"),
        "input_audio_tokens": _("sound in the input"),
        "output_audio_tokens": _("sound in the output"),
        "input_image_tokens": _("images in the input"),
        "output_image_tokens": _("images in the output"),
        "web_searches": _("searches of the web"),
    }
    tables.show_rows(
        check.rows,
        {
            "part": (tables.text(_("Part")), lambda row: names.get(row.part, row.part)),
            "theirs": (tables.number(_("Billed")), lambda row: row.theirs),
            "ours": (tables.number(_("Counted here")), lambda row: row.ours),
            "sure": (tables.text(_("How sure")), lambda row: _sure(row.sure)),
            "off": (tables.number(_("Difference")), lambda row: row.difference),
            "why": (
                tables.text(_("Likely cause")),
                lambda row: " ".join(map(sentence, row.causes)),
            ),
        },
        alt_text=_("The bill, line by line"),
    )
    st.markdown(
        _("By the vendor's numbers this costs {theirs}, by ours {ours}.").format(
            theirs=context.money.markdown(check.theirs.total),
            ours=context.money.markdown(check.ours.total),
        )
    )
    notes = layout.note_lines(context, ((model, note) for note in check.notes))
    st.caption("\n".join(f"- {note}" for note in notes))
