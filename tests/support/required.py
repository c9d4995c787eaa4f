"""Programs that some tests need and that not every machine has: their tests are skipped, unless it must have them.

CLEANROOM_TEST_REQUIRED names those that a machine must have, with blanks between: continuous integration does so for
what it installs itself, so that a failed installation does not take a whole layer of tests away in silence.
"""

import os
from typing import NoReturn

import pytest

VARIABLE = "CLEANROOM_TEST_REQUIRED"


def is_required(part: str) -> bool:
    """Whether the tests that need it must run: `postgresql`, `chromium`, `gvisor`, `azurite`, or a scheduler."""
    return part in os.environ.get(VARIABLE, "").split()


def skip_without(part: str, how: str) -> NoReturn:
    """Skip the test, or fail it where this part is required. `how`: what is missing, and what brings it."""
    if is_required(part):
        pytest.fail(f"{how} ({VARIABLE} demands it)")
    pytest.skip(how)


def skipped_without(part: str, how: str, *, there: bool) -> pytest.MarkDecorator:
    """The same as a mark, which lets the test run, and fail, where the part is required."""
    return pytest.mark.skipif(not there and not is_required(part), reason=how)
