"""What the host says is left when nothing more is proposed: by place, counted as values, the same each time."""

from itertools import product

import pyarrow as pa

from orchestrator.core.candidate import Shape
from orchestrator.core.ports import Sample
from orchestrator.core.requests import ProposalRequest
from orchestrator.core.steps import LeftForm
from orchestrator.data.profile.nested_texts import path_of, texts_by_place
from orchestrator.data.record_tables import from_table
from orchestrator.run.loop.stopping import left_forms


def test_what_is_left_is_told_by_place_and_counted_as_values() -> None:
    """Dates and codes of one list are looked at each by itself; `rows` were said where values were counted."""
    days = [f"{n % 28 + 1:02d}.01.2024" if n % 3 == 0 else f"2024-01-{n % 28 + 1:02d}" for n in range(90)]
    records = [{"items": [{"day": day, "sku": f"AB-{n}"} for day in days[n : n + 2]]} for n in range(0, 90, 2)]
    rows = from_table(pa.Table.from_pylist(records))
    request = ProposalRequest(rows, "every day as YYYY-MM-DD", shape=Shape.RECORD)
    (left,) = left_forms(Sample(rows, rows.slice(0, 3)), [], request)
    assert left == LeftForm(column="items", place="items[].day", form="9.9.9", rows=30, holdout=2, suspected=True)
    assert (left.where, left.counts) == ("items[].day", "value")
    assert not left_forms(Sample(rows, rows), [], request._replace(instruction="tidy the sku of all items"))


def test_rare_forms_are_those_of_untidy_places() -> None:
    """A stray blank in one place says nothing of the forms in another one of the column."""
    records = [{"items": [{"note": " x" if n == 7 else "x", "sku": f"AB{n % 10}" if n else "A-B"}]} for n in range(90)]
    rows = from_table(pa.Table.from_pylist(records))
    assert {one.where for one in left_forms(Sample(rows, rows), ["items"])} == {"items[].note"}


def test_keys_that_are_entries_are_one_place() -> None:
    """A date as the key of an object is no name of a field: its values stand together, as those of one key do."""
    votes = [{f"2024-01-{n + k:02d}": "yes" for k in range(1, 4)} for n in range(20)]
    assert texts_by_place("a", votes) == {("a", "*"): ["yes"] * 60}
    assert texts_by_place("a", [{"b": [{"c": "x"}, "y"]}, "z"]) == {
        ("a",): ["z"], ("a", "b", "[]"): ["y"], ("a", "b", "[]", "c"): ["x"],
    }  # fmt: skip
    assert path_of(("a", "b", "[]", "c")) == "a.b[].c"


def test_of_two_equally_frequent_forms_the_first_is_the_usual_one() -> None:
    """Which form was blamed changed from process to process."""
    for letter, sign in product("ab", "-+=/:;"):
        rows = pa.table({"code": ["AB"] * 5 + [f"A{sign}{letter}"] * 5})
        (left,) = left_forms(Sample(rows, rows), [], ProposalRequest(rows, "code"))
        assert left.form == f"A{sign}a"
