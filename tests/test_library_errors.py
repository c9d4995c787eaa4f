"""Whatever a program hands to the library: a wrong argument is a CleanroomError, before an engine is needed.

`DOCKER_HOST` points to nowhere, so that a call which gets as far as the engine raises EngineUnavailable instead.
"""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from pydantic import BaseModel

from orchestrator import BudgetLimits, Cleanroom, ModelChoice, RunLimits
from orchestrator.core.errors import CleanroomError, EngineUnavailable, UsageError
from orchestrator.core.policy import ContainerPolicy, Policy

SOURCE = 'def f(df):\n    """Same."""\n    return df\n'
TOO_LONG = 300 * "x"
NOT_A_PATH = (None, 1, b"a.csv", "a\0b", object(), TOO_LONG)
WRONG: dict[str, tuple[object, ...]] = {
    "data": NOT_A_PATH,
    "instruction": (None, 1, ["x"]),
    "out": (1, "a\0b", TOO_LONG),
    "registry": (1, "a\0b", TOO_LONG),
    "overwrite": ("perhaps", None),
    "quarantine": ("bad.csv", None),
    "shape": ("nonsense", None, 1, "fitted"),
    "examples": (1, "nothing.jsonl", TOO_LONG),
    "conventions": (1, "nothing.yaml", TOO_LONG, {"case": "upper"}),
    "chunk_rows": ("x", 0, -1, 9, 1.5, None),
    "max_chunks": ("x", 0, None),
    "sampling": ("nonsense", None, 1),
    "seed": ("x", None, 1.5),
    "limits": ({"lanes": 0}, {"nothing": 1}, "x"),
    "on_hold": ("nonsense", None, 1),
}


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Cleanroom:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    return Cleanroom()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "a.csv"
    path.write_text("city,n\n Bonn,1\nKiel,2\n")
    return path


def test_every_argument_of_run_is_tried_here() -> None:
    """A new one cannot be forgotten."""
    assert list(WRONG) == [name for name in inspect.signature(Cleanroom.run).parameters if name != "self"]


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in WRONG.items() for value in values])
def test_a_wrong_argument_of_run(room: Cleanroom, data: Path, tmp_path: Path, name: str, value: Any) -> None:
    """It is named or said in words, with advice, and nothing is begun."""
    arguments: dict[str, Any] = {"data": data, "out": tmp_path / "out", name: value}
    with pytest.raises(UsageError) as raised:
        room.run(**arguments)
    assert raised.value.message
    assert raised.value.advice
    assert not (tmp_path / "out").exists()


def test_right_arguments_get_as_far_as_the_engine(room: Cleanroom, data: Path) -> None:
    """So that the wrong ones are refused for what they are."""
    with pytest.raises(EngineUnavailable):
        room.run(data, shape="table", sampling="diverse", chunk_rows=10, limits=RunLimits(lanes=2), seed=3)


@pytest.mark.parametrize(
    "call",
    [
        lambda: Cleanroom(1),  # type: ignore[arg-type]
        lambda: Cleanroom(object()),  # type: ignore[arg-type]
        lambda: Cleanroom(privacy="none"),  # type: ignore[arg-type]
        lambda: Cleanroom(api_base=1),  # type: ignore[arg-type]
        lambda: Cleanroom(policy=1),  # type: ignore[arg-type]
        lambda: Cleanroom(policy="nothing.yaml"),
        lambda: Cleanroom(policy=TOO_LONG),
        lambda: ModelChoice(protocol="telepathy"),  # type: ignore[arg-type]
        lambda: ModelChoice(probes=-1),
        lambda: ModelChoice(timeout_s=0.0),
        lambda: ModelChoice(patience_s=float("nan")),
        lambda: ModelChoice(nothing=1),  # type: ignore[call-arg]
        lambda: BudgetLimits(max_calls="many"),  # type: ignore[arg-type]
        lambda: RunLimits(lanes=0),
        lambda: Cleanroom.past("nothing"),
        lambda: Cleanroom.past(TOO_LONG),
        lambda: Cleanroom.past(1),  # type: ignore[arg-type]
        lambda: Cleanroom().resume("nothing"),
        lambda: Cleanroom().resume("nothing", budget={"max_calls": 1}),  # type: ignore[arg-type]
        lambda: Cleanroom(strict="no"),  # type: ignore[arg-type]
        lambda: Cleanroom(policy=Policy(), strict=None),  # type: ignore[arg-type]
    ],
)
def test_wrong_arguments_of_everything_else(call: Callable[[], object]) -> None:
    """Constructors of values included: none of them lets an error of another library through."""
    with pytest.raises(UsageError):
        call()


class Own:
    """A model object of the caller's."""

    def generate(self, messages: list[dict[str, str]]) -> str:
        return str(len(messages))


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: Cleanroom(Own(), header="nonsense"), "header"),  # type: ignore[arg-type]
        (lambda: Cleanroom(Own(), api_base="http://host/v1"), "api_base"),
        (lambda: Cleanroom(Own()).resume("nothing", api_base="http://host/v1"), "api_base"),
        (lambda: Cleanroom(Own()).resume("nothing", budget=BudgetLimits(max_calls=1)), "budget"),
        (lambda: Cleanroom().resume("nothing", api_base=1), "api_base"),  # type: ignore[arg-type]
        (lambda: Cleanroom().resume("nothing", limits=5), "limits"),  # type: ignore[arg-type]
    ],
)
def test_what_would_be_ignored_is_refused(call: Callable[[], object], name: str) -> None:
    """Before anything is looked for, and by name."""
    with pytest.raises(UsageError, match=f"'{name}'"):
        call()


def values_taken_by(function: Callable[..., object]) -> set[type[BaseModel]]:
    """The models that a caller can hand in, with those that they are made of."""
    found: set[type[BaseModel]] = set()
    hints = get_type_hints(function, localns={"GeneratesText": object})
    waiting = [kind for name, kind in hints.items() if name != "return"]
    while waiting:
        kind = waiting.pop()
        waiting += get_args(kind)
        if isinstance(kind, type) and issubclass(kind, BaseModel) and kind not in found:
            found.add(kind)
            waiting += get_type_hints(kind).values()
    return found


METHODS = [Cleanroom.__init__, *(getattr(Cleanroom, name) for name in ("run", "resume", "verify", "apply"))]
VALUES = sorted({kind for method in METHODS for kind in values_taken_by(method)}, key=lambda kind: kind.__name__)


@pytest.mark.parametrize("kind", VALUES)
def test_no_value_that_the_library_takes_lets_an_error_of_pydantic_through(kind: type[BaseModel]) -> None:
    """Neither a name that it does not have nor a value that does not fit, whatever is added to the library."""
    with pytest.raises(UsageError, match="no_such_argument") as raised:
        kind(no_such_argument=1)
    assert raised.value.advice
    for name in kind.model_fields:
        with pytest.raises(UsageError):
            kind(**{name: object()})


def test_the_values_are_found() -> None:
    """So that the test above tries something."""
    named = {kind.__name__ for kind in VALUES}
    assert named >= {"ModelChoice", "BudgetLimits", "RunLimits", "Policy", "Limits", "ColumnRule", "Conventions"}


@pytest.mark.parametrize(
    "limits", [{"max_calls": -1}, {"max_tokens": 0}, {"max_cost_usd": -1.0}, {"max_seconds": -1.0}]
)
def test_a_budget_that_allows_nothing_is_refused(limits: dict[str, Any]) -> None:
    """As `--max-calls -1` is: a run with it would end before its first question, as if the budget had been used."""
    with pytest.raises(UsageError, match=next(iter(limits))):
        BudgetLimits(**limits)


def test_a_policy_within_a_policy_is_named() -> None:
    """The path of the argument is said; what contradicts itself is said in words."""
    with pytest.raises(UsageError, match=r"'container\.pids'"):
        Policy(container={"pids": 0})  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"^Invalid argument: tmpfs_bytes is more than memory_bytes"):
        ContainerPolicy(tmpfs_bytes=2**40)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((name, value) for name in ("data", "functions", "output") for value in NOT_A_PATH),
        *(("quarantine", value) for value in NOT_A_PATH if value is not None),
        ("data", "nothing.csv"),
        ("functions", "nothing"),
    ],
)
def test_a_wrong_argument_of_apply(room: Cleanroom, data: Path, tmp_path: Path, name: str, value: Any) -> None:
    """Functions that are not there are a RegistryError, all else is a UsageError."""
    arguments: dict[str, Any] = {"data": data, "functions": tmp_path, "output": tmp_path / "b.csv", name: value}
    with pytest.raises(CleanroomError):
        room.apply(**arguments)


@pytest.mark.parametrize("columns", [["city"], "city", 1, {"city": 1}, {1: "city"}])
def test_columns_are_names_by_names(room: Cleanroom, data: Path, tmp_path: Path, columns: Any) -> None:
    """For `apply` and `check` alike, before the functions are looked for."""
    with pytest.raises(UsageError, match="'columns'"):
        room.apply(data, tmp_path, tmp_path / "b.csv", columns=columns)
    with pytest.raises(UsageError, match="'columns'"):
        room.check(data, tmp_path, columns=columns)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("function", 1),
        ("data", 1),
        ("data", "nothing.csv"),
        ("examples", [1]),
        ("examples", 5),
        ("examples", iter(())),
        ("quick", "x"),
        ("quick", None),
        ("instruction", 5),
    ],
)
def test_a_wrong_argument_of_verify(room: Cleanroom, data: Path, name: str, value: Any) -> None:
    """What is no function at all is a verdict, though: only wrong types are refused."""
    arguments: dict[str, Any] = {"function": SOURCE, "data": data, name: value}
    with pytest.raises(UsageError):
        room.verify(**arguments)


def test_strict_holds_for_a_policy_object_as_well() -> None:
    """It can only be switched on."""
    assert Cleanroom(policy=Policy(), strict=True)._policy.strict
