"""Private names of Streamlit: the app uses them here and nowhere else.

Where another release of Streamlit lacks one, or has another thing under it, the log says what is
lost, and the function returns its fallback: something is then less exact, and every page opens.
"""

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import cache, wraps
from operator import attrgetter
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import streamlit as st

from playground.ui import doors, static_files
from playground.ui.i18n import errors_shown

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

_log = logging.getLogger(__name__)


def or_else(
    lost: str, otherwise: Any = None
) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
    """Make a function return ``otherwise`` where Streamlit does not have what it uses."""

    def guarded(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
        @wraps(function)
        def call(*args: Parameters.args, **options: Parameters.kwargs) -> Result:
            try:
                return function(*args, **options)
            except (AttributeError, ImportError, TypeError):
                _report(lost)
                return otherwise  # type: ignore[no-any-return]

        return call

    return guarded


@cache
def _report(lost: str) -> None:
    _log.warning("Streamlit %s is another: %s", st.__version__, lost, exc_info=True)


def at_start(uploads: doors.Uploads, largest_upload: int) -> None:
    """Mend Streamlit for the whole server, once."""
    let_callbacks_finish()
    ignore_forged_values()
    trim_messages()
    bound_uploads(uploads, largest_upload)
    compress_scripts()


# Runs


@or_else("quick clicks, Back and uploads are handled as Streamlit does.")
def context() -> Any:
    """Return the context of the run under way, or ``None``."""
    from streamlit.runtime.scriptrunner import get_script_run_ctx  # private

    return get_script_run_ctx()


@cache
@or_else("of what a click sets, the next click may drop a part.")
def let_callbacks_finish() -> None:
    """Have Streamlit turn to the next request when a callback has ended, in the whole server.

    Otherwise a callback ends where it next reads or writes the state of the session, and is not
    called again: of what a click sets, a part was missing, or a typed text was lost.
    """
    from streamlit.runtime.scriptrunner import ScriptRunner  # private
    from streamlit.runtime.scriptrunner_utils.script_run_context import (  # private
        RunLocation,
        ThreadState,
    )

    turn = "_maybe_handle_execution_control_request"
    turn_to_request: Callable[[ScriptRunner], None] = getattr(ScriptRunner, turn)
    of_thread, callback = ThreadState.get, RunLocation.CALLBACK

    def outside_callbacks(runner: ScriptRunner) -> None:
        is_callback = getattr(of_thread(), "run_location", None) is callback
        if not (getattr(runner, "_execing", False) and is_callback):
            turn_to_request(runner)

    setattr(ScriptRunner, turn, outside_callbacks)


@or_else("a stopped page is not stored.", otherwise=())
def stop_exception() -> Any:
    """Return the exception that ends a run, for ``except``."""
    from streamlit.runtime.scriptrunner import StopException  # private

    return StopException


@or_else("Back may lead to the URL before.", otherwise=False)
def after_back() -> bool:
    """Whether the browser's Back or Forward has led to this run."""
    run = context()
    return run is not None and bool(run.is_history_navigation)


@or_else("clicks that come together may be told apart wrongly.", otherwise=())
def changed_widgets() -> Sequence[tuple[str, str | None]]:
    """Return the widgets of the last run that a request has changed, each with its fragment."""
    run = context()
    if run is None:
        return ()
    state = run.session_state._state
    sent = state._new_widget_state
    changed = []
    for widget in list(sent):
        metadata = sent.widget_metadata.get(widget)
        if metadata is not None and widget in state._old_state and state._widget_changed(widget):
            changed.append((widget, metadata.fragment_id))
    return changed


@or_else("what is set just before a fragment answers may wait for the next click.")
def run_whole_page_if_others_changed() -> None:
    """End the run of a fragment that came with changes of widgets that it does not draw."""
    from streamlit.proto.WidgetStates_pb2 import WidgetStates
    from streamlit.runtime.scriptrunner import RerunData, RerunException  # private

    run = context()
    if run is None or not run.fragment_ids_this_run:
        return
    drawn, within = run.fragment_ids_this_run, run.fragment_storage.has_ancestor_in
    if all(of in drawn or (of and within(of, drawn)) for _widget, of in changed_widgets()):
        return
    # With what the browser sent, of which callbacks know already: the URL may say less than the
    # widgets do, and of clicks the run would know nothing by itself.
    states = run.session_state._state._new_widget_state.as_widget_states()
    clicks = [state for state in states if "trigger" in str(state.WhichOneof("value"))]
    raise RerunException(
        RerunData(
            query_string=run.query_string,
            page_script_hash=run.page_script_hash,
            cached_message_hashes=run.cached_message_hashes,
            context_info=run.context_info,
            widget_states=WidgetStates(widgets=[each for each in states if each not in clicks]),
            replay_trigger_states=WidgetStates(widgets=clicks),
        )
    )


def fragment(draw: Callable[Parameters, None]) -> Callable[Parameters, None]:
    """Make a function a fragment, which leaves to the whole page what has changed outside it.

    The browser sends together what changes within a moment, on a busy machine a fourth of a second,
    and names one fragment as soon as one of the changes lies in it: a number set just before a
    fragment reports its own would be shown, and nothing would follow from it.
    """

    @wraps(draw)
    def drawn(*args: Parameters.args, **options: Parameters.kwargs) -> None:
        run_whole_page_if_others_changed()
        with errors_shown():
            draw(*args, **options)

    runs_again: Callable[Parameters, None] = st.fragment(drawn)  # noqa: TID251
    return runs_again


_NUMBERS = {"int_value", "double_value"}
"""A field of numbers is registered with the one, and sends the other where they are whole."""


@cache
@or_else("a forged message ends in a traceback for its sender.")
def ignore_forged_values() -> None:
    """Have a widget keep its value where a message has one of another kind, or one not readable."""
    from streamlit.runtime.state.session_state import WStates  # private

    attrgetter("states", "widget_metadata")(WStates())  # before anything is replaced
    read: Callable[[WStates, str], Any] = WStates.__getitem__

    def read_checked(states: WStates, widget: str) -> Any:
        sent, metadata = states.states.get(widget), states.widget_metadata.get(widget)
        kind_of = getattr(getattr(sent, "value", None), "WhichOneof", None)
        if metadata is None or kind_of is None:  # unknown, or read before
            return read(states, widget)
        registered = getattr(metadata, "value_type", None)
        kinds = {kind_of("value"), registered} - {None}  # an emptied field sends none
        if len(kinds) > 1 and not kinds <= _NUMBERS:
            raise KeyError(widget)
        try:
            return read(states, widget)
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
            raise KeyError(widget) from error

    setattr(WStates, "__getitem__", read_checked)  # noqa: B010 - not assignable to mypy


# Pages


@or_else("a click in the first second of the server may be lost.", otherwise=False)
def is_first_run_of_server() -> bool:
    """Whether Streamlit takes the folder ``pages/`` for its older kind of app, as it does once."""
    from streamlit.runtime.pages_manager import PagesManager  # private

    return bool(PagesManager.uses_pages_directory)


@or_else("Streamlit says which page is missing.", otherwise="")
def intended_page() -> str:
    """Return the name of the page in the URL; it is known in the first run alone."""
    run = context()
    return str(run.pages_manager.intended_page_name or "") if run else ""


@or_else("the first page's own name in a URL is unknown.")
def intend_first_page() -> None:
    context().pages_manager.set_script_intent("", "")


# The server: its sessions, and what they send


@or_else("no memory is freed, and no upload limited.", otherwise=False)
def is_server() -> bool:
    """Whether this process serves sessions, and not a script that was started by itself."""
    return st.runtime.exists()


@or_else("the memory of ended sessions is freed when the next visitor comes.")
def drop_ended_sessions(is_short: Callable[[], bool]) -> set[str] | None:
    """Drop the sessions that are over, in the event loop; return the ids of all others."""
    server: Any = st.runtime.get_instance()
    result: Future[set[str]] = Future()

    def ask() -> None:
        try:
            result.set_result(drop_ended(server._session_mgr, is_short))
        except Exception as error:
            result.set_exception(error)

    server._get_async_objs().eventloop.call_soon_threadsafe(ask)
    return result.result(timeout=600)


def drop_ended(manager: Any, is_short: Callable[[], bool]) -> set[str]:
    """Drop the sessions that were lost two minutes ago; return the ids of all others.

    Where memory is short, those go that were lost just now, too: a tab that comes back has what a
    link could carry.
    """
    storage = manager._session_storage
    storage._cache.expire()
    if is_short():
        for lost in storage.list():
            storage.delete(lost.session.id)
    return {info.session.id for info in manager.list_sessions()}


@or_else("anybody may empty the caches of all, and send a million widgets.")
def trim_messages() -> None:
    """Have each message of a browser trimmed before a session takes it."""
    from streamlit.runtime.app_session import AppSession  # private

    take: Callable[[AppSession, Any], None] = AppSession.handle_backmsg

    def take_trimmed(session: AppSession, message: Any) -> None:
        if doors.trim(message):
            take(session, message)

    setattr(AppSession, "handle_backmsg", take_trimmed)  # noqa: B010 - not assignable to mypy


@or_else("uploads that no page has read are not limited, and none may have more than 1 MB.")
def bound_uploads(uploads: doors.Uploads, largest: int) -> None:
    """Have the server hold uploads to a budget, each of at most so many bytes."""
    from streamlit import config
    from streamlit.runtime.memory_uploaded_file_manager import (  # private
        MemoryUploadedFileManager,
    )

    names = ("add_file", "remove_file", "remove_session_files", "get_upload_urls")
    attrgetter(*names)(MemoryUploadedFileManager)  # before anything is replaced

    class Manager(MemoryUploadedFileManager):
        def get_upload_urls(self, session_id: str, file_names: Sequence[str]) -> Any:
            urls = super().get_upload_urls(session_id, file_names)
            uploads.offer(session_id, [url.file_id for url in urls])
            return urls

        def add_file(self, session_id: str, file: Any) -> None:
            if uploads.whole(session_id, file.file_id, len(file.data)):
                super().add_file(session_id, file)

        def remove_file(self, session_id: str, file_id: str) -> None:
            super().remove_file(session_id, file_id)
            uploads.forget(session_id, file_id)

        def remove_session_files(self, session_id: str) -> None:
            super().remove_session_files(session_id)
            uploads.forget(session_id)

    if is_server():
        manager: Any = st.runtime.get_instance().uploaded_file_mgr
        if type(manager) is MemoryUploadedFileManager:
            manager.__class__ = Manager
            uploads.evict = manager.remove_session_files
            doors.guard(uploads, largest)
    config.set_option("server.maxUploadSize", largest >> 20)


@or_else("a first visit takes three times as many bytes.")
def compress_scripts() -> None:
    """Have the server send its scripts and styles compressed."""
    from streamlit import file_util

    if is_server():
        first = Path(__file__).with_name("frame") / "first.html"
        static_files.compress(Path(file_util.get_static_dir()) / "static", first.read_bytes())


@or_else("uploads stay until a session ends.")
def release_upload(file_id: str) -> None:
    """Let go of the bytes that Streamlit keeps of an uploaded file until the session ends."""
    run = context()
    if run is not None:
        run.uploaded_file_mgr.remove_file(run.session_id, file_id)
