"""Loads untrusted source and runs the ops of a case on it. Called by child.py, inside the child.

What a case's values are (a DataFrame, or JSON records) is the business of tables.py and records.py. Nothing here
imports pandas: a candidate that needs none must not pay for it.
"""

import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any


class Missing(Exception):
    """The program has no such function."""


class Unserialisable(Exception):
    """What a function returned is not what its shape demands, or cannot be carried."""


class Loaded:
    """One program in a fresh module; an error while loading is raised again at every use."""

    def __init__(self, number: int, program: dict[str, Any]) -> None:
        self.shape: str = program.get("shape", "table")
        self.columns: list[str] = program.get("columns", [])
        self._name: str = program["name"]
        self.file = f"<{self._name}>"
        self._error: BaseException | None = None
        module = ModuleType(f"candidate_{number}")
        sys.modules[module.__name__] = module  # dataclasses look their module up
        self._space: dict[str, Any] = module.__dict__
        try:
            code = compile(program["source"], self.file, "exec", dont_inherit=True)
            exec(code, self._space)  # noqa: S102 - the guest's job
        except MemoryError:
            raise
        except BaseException as error:  # noqa: BLE001 - SystemExit and the like are the candidate's failure too
            self._error = error

    @property
    def is_broken(self) -> bool:
        """Whether it raised while it was loaded, so that no row is to blame."""
        return self._error is not None

    @property
    def function(self) -> Any:
        """The public function. Raises what loading raised, Missing."""
        return self._function(self._name)

    @property
    def detect(self) -> Any:
        return self._function("detect")

    def _function(self, name: str) -> Any:
        if self._error is not None:
            raise self._error
        function = self._space.get(name)
        if not callable(function):
            raise Missing(f"there is no function {name}")
        return function


class Work:
    """One input and its ops. The result of `f` is kept for the ops that build on it.

    The header is that of the record which the op writes; an op fills in what it knows and returns the record's body:
    bytes, or what can be seen as bytes.
    """

    def __init__(self, programs: Sequence[Loaded]) -> None:
        self.programs = programs
        self._first: tuple[Any, BaseException | None] | None = None

    def f(self, header: dict[str, Any]) -> Any:
        raise NotImplementedError

    def ff(self, header: dict[str, Any]) -> Any:
        raise NotImplementedError

    def detect(self, header: dict[str, Any]) -> Any:
        raise NotImplementedError

    def detect_f(self, header: dict[str, Any]) -> Any:
        raise NotImplementedError

    def input(self, header: dict[str, Any]) -> Any:
        """The input as it stands after the last op."""
        raise NotImplementedError

    def apply(self, header: dict[str, Any]) -> Any:
        """The programs on a fresh input."""
        raise NotImplementedError

    @property
    def detector(self) -> Any:
        """The one program's detect. Raises Missing."""
        if len(self.programs) != 1:
            raise Missing("detect belongs to one program")
        return self.programs[0].detect

    def line_of(self, error: BaseException) -> dict[str, int]:
        """`line`: the innermost line of the one program's source that the error went through."""
        at, found = error.__traceback__, 0
        while at is not None and len(self.programs) == 1:
            if at.tb_frame.f_code.co_filename == self.programs[0].file:
                found = at.tb_lineno
            at = at.tb_next
        return {"line": found} if found else {}

    def first(self, header: dict[str, Any]) -> Any:
        """What the programs made of a fresh input, however often it is asked for; what they raised, likewise."""
        if self._first is None:
            try:
                self._first = (self.apply(header), None)
            except BaseException as error:
                self._first = (None, error)
                raise
        result, failure = self._first
        if failure is not None:
            raise failure
        return result
