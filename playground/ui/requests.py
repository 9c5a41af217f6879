"""Requests of a browser that come quickly: what each changes, and that none cuts off another.

The browser sends what widgets hold, all of them, whichever was changed.
"""

from collections.abc import Callable, Iterator
from functools import cache, wraps
from typing import Any, ParamSpec

import streamlit as st
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.scriptrunner import (
    RerunData,
    RerunException,
    ScriptRunner,
    get_script_run_ctx,
)
from streamlit.runtime.scriptrunner_utils.script_run_context import RunLocation, ThreadState

Parameters = ParamSpec("Parameters")


@cache
def let_callbacks_finish() -> None:
    """Have Streamlit turn to the next request when a callback has ended, in the whole server.

    Otherwise a callback ends where it next reads or writes the state of the session, and is not
    called again: of what a click sets, a part was missing, or a typed text was lost.
    """
    turn = "_maybe_handle_execution_control_request"
    turn_to_request: Callable[[ScriptRunner], None] = getattr(ScriptRunner, turn)

    def outside_callbacks(runner: ScriptRunner) -> None:
        is_callback = runner._execing and ThreadState.get().run_location is RunLocation.CALLBACK
        if not is_callback:
            turn_to_request(runner)

    setattr(ScriptRunner, turn, outside_callbacks)


def fragment(draw: Callable[Parameters, None]) -> Callable[Parameters, None]:
    """Make a function a fragment, which leaves to the whole page what has changed outside it.

    The browser sends together what changes within a moment, on a busy machine a fourth of a second,
    and names one fragment as soon as one of the changes lies in it: a number set just before a
    fragment reports its own would be shown, and nothing would follow from it.
    """

    @wraps(draw)
    def drawn(*args: Parameters.args, **options: Parameters.kwargs) -> None:
        if _others_have_changed():
            raise RerunException(_whole_page())
        draw(*args, **options)

    runs_again: Callable[Parameters, None] = st.fragment(drawn)  # noqa: TID251
    return runs_again


def changes_others(key: str) -> bool:
    """Whether a request changes other widgets than that of this key, for whose callback this is.

    Then this one may not have been touched: until a browser has drawn what Python has set, it sends
    what it still shows along with each change.
    """
    return any(not widget.endswith(f"-{key}") for widget, _fragment in _changed())


def _others_have_changed() -> bool:
    """Whether this run of a fragment came with changes of widgets that it does not draw."""
    context = get_script_run_ctx()
    if context is None or not context.fragment_ids_this_run:
        return False
    drawn, within = context.fragment_ids_this_run, context.fragment_storage.has_ancestor_in
    return any(of not in drawn and not (of and within(of, drawn)) for _widget, of in _changed())


def _whole_page() -> RerunData:
    """Return what runs the whole page with what the browser sent, of which callbacks know already.

    The URL may say less than the widgets do; of clicks the run would know nothing by itself.
    """
    context: Any = get_script_run_ctx()
    states = context.session_state._state._new_widget_state.as_widget_states()
    clicks = [state for state in states if "trigger" in str(state.WhichOneof("value"))]
    return RerunData(
        query_string=context.query_string,
        page_script_hash=context.page_script_hash,
        cached_message_hashes=context.cached_message_hashes,
        context_info=context.context_info,
        widget_states=WidgetStates(widgets=[state for state in states if state not in clicks]),
        replay_trigger_states=WidgetStates(widgets=clicks),
    )


def _changed() -> Iterator[tuple[str, str | None]]:
    """Yield the widgets of the last run that a request has changed, each with its fragment."""
    context = get_script_run_ctx()
    if context is None:
        return
    state: Any = context.session_state._state
    sent = state._new_widget_state
    for widget in list(sent):
        metadata = sent.widget_metadata.get(widget)
        if metadata is not None and widget in state._old_state and state._widget_changed(widget):
            yield widget, metadata.fragment_id
