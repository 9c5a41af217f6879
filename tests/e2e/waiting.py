"""When a page is done: what every test waits for before it reads or clicks."""


def settled(page) -> None:
    """Wait until the script has run to its end and everything is drawn."""
    page.wait_for_selector('[data-testid="stMainBlockContainer"] h1')
    page.wait_for_function(
        '() => !document.querySelector(\'[data-testid="stStatusWidget"],'
        '[data-testid="stProgress"],[data-testid="stSkeleton"]\')'
        " && document.querySelector('.stApp')?.dataset.testScriptState === 'notRunning'"
    )
