"""Parses Python source, one thread at a time. Used wherever source text from a candidate or a model is read."""

import ast
import threading
import warnings

_ONE_AT_A_TIME = threading.Lock()


def parse_python(source: str) -> ast.Module:
    """The syntax tree. Raises what `ast.parse` raises; warnings about odd escapes are the author's own business.

    Threads take turns for two reasons. CPython counts the depth of all trees that are under construction in one
    place, and raises SystemError when threads mix it up (gh-106905); and `warnings.catch_warnings` changes a global.
    """
    with _ONE_AT_A_TIME, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source)
