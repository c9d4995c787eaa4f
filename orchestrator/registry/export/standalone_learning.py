"""How an exported `cleaning_functions.py` learns anew from the file that it cleans, as `cleanroom apply` does.

Read as text by `export`. What was learnt of another file says nothing of this one: with last month's majorities a right
value becomes a wrong one.
"""

import json
from collections.abc import Callable, Sequence
from functools import partial
from os import devnull
from pathlib import Path
from typing import Any, BinaryIO

import pandas as pd

Clean = Callable[[pd.DataFrame], pd.DataFrame]


def taught(
    functions: Sequence[Any], read: Callable[[Clean, BinaryIO], None], clean: Callable[..., pd.DataFrame]
) -> tuple[Any, ...]:
    """The functions, each fitted one with what it learns of all rows after the functions before it.

    `read` calls what it is given with every batch of the file, and writes what that returns. Raises ValueError where
    there is no row to learn from.
    """
    known: tuple[Any, ...] = ()
    for function in functions:
        if function.fit is not None:
            lesson = _Lesson(function, partial(clean, functions=known))
            with Path(devnull).open("wb") as nowhere:
                read(lesson.take, nowhere)
            function = lesson.learnt()  # noqa: PLW2901 - the same one, which knows more
        known += (function,)
    return known


def refuse_missing(function: Any, frame: pd.DataFrame) -> None:
    """Raise ValueError where a column is missing that the function needs."""
    if missing := [name for name in function.needs if name not in frame.columns]:
        names = " and ".join(f"'{name}'" for name in missing)
        raise ValueError(f"there is no column {names}, which {function.name} needs; give it that name")


class _Lesson:
    """What one fitted function learns of one batch after the other."""

    def __init__(self, function: Any, before: Clean) -> None:
        self._function, self._before, self._state = function, before, ""
        self._rows = 0

    def take(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Learn from the batch, which stays as it is."""
        cleaned = self._before(frame)
        refuse_missing(self._function, cleaned)
        try:
            state = _text(self._function.fit(cleaned))
            if self._state:
                state = _text(self._function.merge(json.loads(self._state), json.loads(state)))
        except Exception as error:
            rows = f"rows {self._rows + 1} to {self._rows + len(frame)}"
            why = f"{type(error).__name__}: {error}"
            raise ValueError(f"{self._function.name} cannot learn from {rows}, and does not fit them: {why}") from error
        self._state = state
        self._rows += len(frame)
        return frame

    def learnt(self) -> Any:
        if not self._state:
            raise ValueError(f"{self._function.name} has no row to learn from")
        return self._function.knowing(self._state)


def _text(state: Any) -> str:
    """Always written the same way, as in the sandbox: a function can see the order of keys.

    Raises TypeError or ValueError, as there, for a state that JSON does not give back as it was.
    """
    text = json.dumps(state, ensure_ascii=False, allow_nan=False, sort_keys=True)
    text.encode()
    if json.loads(text) != state:
        raise TypeError("the state has tuples, or keys that are no texts: JSON does not give it back as it was")
    return text
