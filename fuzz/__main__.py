"""``python -m fuzz [SUBJECTS...] [--minutes M] [--seed N]``: search until the time is over.

With ``--strings N`` it goes on until so many different texts were checked, however long it takes.
"""

import argparse
import faulthandler
import random
import re
import sys
import time
from collections.abc import Callable
from importlib import import_module
from types import ModuleType

from hypothesis import HealthCheck, Phase, seed, settings

from bpe import compiled
from tests.support.texts import seen

SUBJECTS = [
    "many", "encoders", "catalogue", "trained", "own", "learners", "scanners", "decoding",
    "damaged_files",
]  # fmt: skip
EXAMPLES = 100
"""Examples of a check between two looks at the clock."""

Check = Callable[[], None]


def main() -> int:
    """Search, print what fails, and return how the process ends: 1 if anything did."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("subjects", nargs="*", metavar="SUBJECT", help=", ".join(SUBJECTS))
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--strings", type=int, help="go on until so many texts were checked")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**9))
    options = parser.parse_args()
    faulthandler.enable()
    settings.register_profile(
        "fuzz",
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    settings.load_profile("fuzz")
    print(f"seed {options.seed}", flush=True)
    compiled.warm(background=False)
    checks = {}
    for subject in options.subjects or SUBJECTS:
        checks.update(checks_of(import_module(f"fuzz.{subject}")))
    end = time.monotonic() + 60 * options.minutes

    def go_on() -> bool:
        if options.strings is not None:
            return len(seen) < options.strings
        return time.monotonic() < end

    rounds, found = search(checks, options.seed, go_on)
    print(
        f"{rounds} rounds of {len(checks)} checks, {EXAMPLES} examples each; "
        f"{len(seen):,} different strings: {found} found"
    )
    return 1 if found else 0


def checks_of(module: ModuleType) -> dict[str, Check]:
    """Return the functions of a module that Hypothesis calls, by name."""
    subject = module.__name__.rpartition(".")[2]
    return {
        f"{subject}.{name}": value
        for name, value in vars(module).items()
        if hasattr(value, "hypothesis") and value.__module__ == module.__name__
    }


def search(checks: dict[str, Check], first: int, go_on: Callable[[], bool]) -> tuple[int, int]:
    """Run the checks in turn while ``go_on()``; return the number of rounds and of finds.

    Each round has the next seed. A check that failed is left out from then on, as it would find the
    same again.
    """
    failed: set[str] = set()
    rounds = 0
    while go_on() and len(failed) < len(checks):
        for name, check in checks.items():
            if name not in failed and go_on() and (literal := failure(check, first + rounds)):
                failed.add(name)
                print(f"\n{name} (seed {first + rounds}):\n{literal}", flush=True)
        rounds += 1
        print(f"after round {rounds}: {len(seen):,} different strings", flush=True)
    return rounds, len(failed)


def failure(check: Check, number: int) -> str | None:
    """Run a check on new examples; return the smallest that fails as an ``@example``."""
    try:
        seed(number)(check)()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a panic of a Rust library is no Exception
        notes = "\n".join(getattr(error, "__notes__", ()))
        example = re.sub(r"^.*?: \w+\(", "@example(", notes)  # "Failing test case: check("
        return f"{example}\n{type(error).__name__}: {error}"
    return None


if __name__ == "__main__":
    sys.exit(main())
