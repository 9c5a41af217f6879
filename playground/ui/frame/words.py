"""The words that Streamlit itself writes on a page: in its menu, on fields, tables and charts."""

from playground.ui.i18n import _


def of_streamlit() -> dict[str, str]:
    """Return what Streamlit writes, in English, with what it means in the reader's language.

    ``{name}`` stands for anything.
    """
    return {**_menu(), **_fields(), **_tables(), **_server()}


def _menu() -> dict[str, str]:
    return {
        "Main menu": _("Main menu"),
        "System": _("System"),
        "Light": _("Light"),
        "Dark": _("Dark"),
        "Theme": _("Theme"),
        "Print": _("Print"),
        "Record screen": _("Record screen"),
        "Stop recording": _("Stop recording"),
        "Record a screencast": _("Record a screencast"),
        "Also record audio": _("Also record audio"),
        "Start recording!": _("Start recording!"),
        "Made with Streamlit v": _("Made with Streamlit v"),
        "Copy version to clipboard": _("Copy version to clipboard"),
        "Copied": _("Copied"),
        "Link to heading": _("Link to heading"),
        "Skip to main content": _("Skip to main content"),
        "Notifications": _("Notifications"),
        "Close": _("Close"),
        "Cancel": _("Cancel"),
    }


def _fields() -> dict[str, str]:
    return {
        "Choose options": _("Choose options"),
        "Choose an option": _("Choose an option"),
        "No options to select": _("No options to select"),
        "No results": _("No results"),
        "Clear all": _("Clear all"),
        "Open": _("Open"),
        "Selected values": _("Selected values"),
        "Remove {name}": _("Remove {name}"),
        "Help for {name}": _("Help for {name}"),
        "Clear value": _("Clear value"),
        "Clear entry": _("Clear entry"),
        "Decrement": _("Decrement"),
        "Increment": _("Increment"),
        "Number is below the allowed range.": _("Number is below the allowed range."),
        "Number is above the allowed range.": _("Number is above the allowed range."),
        "Show password": _("Show password"),
        "Hide password": _("Hide password"),
        "Press Enter to apply": _("Press Enter to apply"),
        "Press Ctrl+Enter to apply": _("Press Ctrl+Enter to apply"),
        "Press ⌘+Enter to apply": _("Press ⌘+Enter to apply"),
        "Drag and drop files here": _("Drag and drop files here"),
        "Drag and drop a file here": _("Drag and drop a file here"),
        "Add files": _("Add files"),
        "Choose date and time": _("Choose date and time"),
        "Clear date and time": _("Clear date and time"),
        "Time": _("Time"),
        "Copy to clipboard": _("Copy to clipboard"),
    }


def _tables() -> dict[str, str]:
    return {
        "Show/hide columns": _("Show/hide columns"),
        "Download as CSV": _("Download as CSV"),
        "Search": _("Search"),
        "Previous Result": _("Previous Result"),
        "Next Result": _("Next Result"),
        "Close Search": _("Close Search"),
        "Fullscreen": _("Fullscreen"),
        "Close fullscreen": _("Close fullscreen"),
        "Dataframe column menu": _("Dataframe column menu"),
        "Copy column name": _("Copy column name"),
        "Sort ascending": _("Sort ascending"),
        "Sort descending": _("Sort descending"),
        "Statistics": _("Statistics"),
        "Format": _("Format"),
        "Autosize": _("Autosize"),
        "Pin column": _("Pin column"),
        "Unpin column": _("Unpin column"),
        "Hide column": _("Hide column"),
        "Select all": _("Select all"),
        "Clear selection": _("Clear selection"),
        "Show chart": _("Show chart"),
        "Show data": _("Show data"),
        "Download as PNG": _("Download as PNG"),
        "Copy Vega-Lite spec": _("Copy Vega-Lite spec"),
        "Copied!": _("Copied!"),
        "Automatic": _("Automatic"),
        "Localized": _("Localized"),
        "Plain": _("Plain"),
        "Compact": _("Compact"),
        "Dollar": _("Dollar"),
        "Euro": _("Euro"),
        "Yen": _("Yen"),
        "Percent": _("Percent"),
        "Scientific": _("Scientific"),
        "Accounting": _("Accounting"),
        "Values": _("Values"),
        "Empty": _("Empty"),
        "Distinct": _("Distinct"),
        "Minimum": _("Minimum"),
        "Median": _("Median"),
        "Maximum": _("Maximum"),
        "Average": _("Average"),
        "Standard deviation": _("Standard deviation"),
        "Minimum length": _("Minimum length"),
        "Maximum length": _("Maximum length"),
        "Average length": _("Average length"),
        "Range": _("Range"),
        "Sum": _("Sum"),
        "Count": _("Count"),
        "No data": _("No data"),
    }


def _server() -> dict[str, str]:
    return {
        "Running...": _("Running..."),
        "({name} seconds)": _("({name} seconds)"),
        "Stop": _("Stop"),
        "Connecting": _("Connecting"),
        "Connecting to Streamlit server": _("Connecting to Streamlit server"),
        "Unable to connect to Streamlit server": _("Unable to connect to Streamlit server"),
        "Connection error": _("Connection error"),
        "Error": _("Error"),
        "Try again": _("Try again"),
        "Page not found": _("Page not found"),
        "The page that you have requested does not seem to exist. Running the app's main page.": _(
            "The page that you have requested does not seem to exist. Running the app's main page."
        ),
    }
