"""The tree of errors in the module's own words is the tree of its classes."""

import inspect
import re

from orchestrator.core import errors


def test_every_error_is_in_the_tree() -> None:
    """Who catches errors reads there which there are: two of `apply` were missing."""
    tree = [line for line in (errors.__doc__ or "").splitlines() if "──" in line or line.strip() == "CleanroomError"]
    named = {name for line in tree for name in re.findall(r"[A-Z][a-z]+[A-Z]\w+", line)}
    classes = inspect.getmembers(errors, inspect.isclass)
    assert {name for name, found in classes if found.__module__ == errors.__name__} == named
