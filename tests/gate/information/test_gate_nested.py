"""What stands inside lists and objects keeps what it says, as a cell does."""

import datetime as dt
import json
from contextlib import closing

import pyarrow as pa
import pytest

from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Verdict
from orchestrator.data.disposable.disposable_process import DisposableProcess
from orchestrator.data.record_tables import row_of, table_of
from orchestrator.gate.checks.changed_columns.inside_doubts import inside_doubts
from orchestrator.gate.information.nested import Leaf, by_place, read_inside
from orchestrator.gate.information.nested_losses import nested_losses
from orchestrator.gate.information.suspicions import suspicions
from orchestrator.gate.verifier import Verifier
from orchestrator.sandbox.containers.local import LocalSandbox

SIGNS = ("", "-")
ROWS = [
    {"id": n, "at": {"lat": f"{SIGNS[n % 2]}{n % 80}.{n:03}5 ", "tags": [{"price": f"{n},5 EUR"}]}} for n in range(60)
]
TEMPLATE = '''"""Coordinates carry stray blanks."""
CONTRACT = {{"shape": "record", "modifies": ["at"]}}
def detect(record):
    at = record.get("at")
    return isinstance(at, dict) and isinstance(at.get("lat"), str) and at["lat"] != at["lat"].strip()
def tidy(record):
    """Strip them."""
    if not detect(record):
        return record
    lat = record["at"]["lat"].strip()
    return {{**record, "at": {{**record["at"], "lat": {value}}}}}
'''


def verdict(sandbox: LocalSandbox, disposable: DisposableProcess, value: str) -> Verdict:
    table = table_of([row_of(row) for row in ROWS], ("id", "at"))
    with closing(Verifier(sandbox, disposable)) as gate:
        return gate.verify(
            VerifyRequest(TEMPLATE.format(value=value), Sample(table.slice(0, 45), table.slice(45)), quick=True)
        )


def test_leaves_are_paired_by_their_place() -> None:
    """Keys by name and entries by number, where both sides have them; a list that changed its length is left out."""
    before = [{"a": "x", "b": [{"c": "1"}, {"c": "2"}], "gone": 1}, "plain"]
    after = [{"a": "y", "b": [{"c": 1}, {"c": 2.5}]}, "PLAIN"]
    assert by_place(before, after) == {
        ".a": [Leaf("x", "y", 0)],
        ".b[].c": [Leaf("1", "1", 0), Leaf("2", "2.5", 0)],
    }
    assert by_place([[1, 2]], [[1]]) == {}


@pytest.mark.parametrize("value", ["lat", "lat + ''"])
def test_what_keeps_the_value_passes(local_sandbox: LocalSandbox, disposable: DisposableProcess, value: str) -> None:
    """Stripping a nested text loses nothing."""
    assert verdict(local_sandbox, disposable, value).passed


@pytest.mark.parametrize("value", ["lat.lstrip('-')", "lat[:-1]", "lat.replace('.', '')"])
def test_what_loses_a_part_is_held(local_sandbox: LocalSandbox, disposable: DisposableProcess, value: str) -> None:
    """A lost sign, figure or decimal mark inside an object is found without an example, and its place is named."""
    held = verdict(local_sandbox, disposable, value)
    assert held.held
    assert {concern.check for concern in held.concerns} == {"keeps-information"}
    assert all(".lat" in concern.detail for concern in held.concerns)


@pytest.mark.parametrize(
    ("after", "kinds"),
    [
        ([{"a": "x", "n": 1}, {"a": "y", "n": 2}], []),
        ([{"a": "x"}, {"a": "y", "n": 2}], ["key-lost"]),
        ([{"a": "x", "n": 1}], ["item-lost"]),
        ([{"a": "x", "n": 1, "new": 1}, {"a": "y", "n": 2}], ["key-added"]),
        ([{"a": "x", "n": 1}] * 3, ["item-added"]),
        ([], ["item-lost"]),
        (None, ["item-lost"]),
    ],
)
def test_keys_and_items_that_go_are_seen(after: object, kinds: list[str]) -> None:
    """At every depth; what is new is seen as well."""
    before = [{"a": "x", "n": 1}, {"a": "y", "n": 2}]
    assert [loss.kind for loss in nested_losses([before], [after])] == kinds
    assert [loss.kind for loss in nested_losses([{"deep": [before]}], [{"deep": [after]}])] == kinds


def test_items_that_say_nothing_new_may_go() -> None:
    """Repeated and blank ones."""
    assert nested_losses([["Lamp ", "lamp", "", None, "N/A"]], [["lamp"]]) == []


def test_values_inside_that_become_empty_are_seen() -> None:
    """A zero is a value; words for nothing and sentinels are none."""
    before = {"site": "n/a", "visits": 0, "age": -1}
    assert [loss.kind for loss in nested_losses([before], [{"site": None, "visits": None, "age": None}])] == [
        "cells-emptied"
    ]
    assert nested_losses([before], [{"site": None, "visits": 0, "age": None}]) == []


def test_a_witness_settles_what_goes_where_it_shows_it() -> None:
    """A key speaks for the keys beside it, a value that becomes empty for itself anywhere, a date for dates."""
    jobs: list[object] = [{"to": "today", "end": "2001-09-01", "at": {"hall": "A"}}]
    nulled = nested_losses(jobs, [{"to": None, "end": None, "at": {}}], ([{"now": "Today"}], [{"now": None}]))
    assert [(loss.kind, loss.said) for loss in nulled] == [("cells-emptied", "2001-09-01"), ("key-lost", "A")]
    shown: tuple[list[object], list[object]] = ([{"end": "1999-01-01", "at": {"row": 2}}], [{"end": None, "at": {}}])
    assert nested_losses(jobs, [{"to": "today", "end": None, "at": {}}], shown) == []
    assert [loss.kind for loss in nested_losses(jobs, [{"to": "today", "at": {"hall": "A"}}], shown)] == ["key-lost"]


def test_a_witness_of_a_key_with_another_name_speaks_for_no_key_that_is_gone() -> None:
    """`years` as `from` and `to` is there still; the place that stood beside it is nowhere."""
    before = [{"years": "1890-1912", "place": "Oslo"}]
    shown: tuple[list[object], list[object]] = ([{"years": "1801-1812"}], [{"from": 1801, "to": 1812}])
    kept, gone = [{"from": 1890, "to": 1912, "place": "Oslo"}], [{"from": 1890, "to": 1912}]
    assert nested_losses(before, kept, shown) == []
    assert [loss.place for loss in nested_losses(before, gone, shown)] == [".place"]


def test_keys_of_words_for_nothing_go_everywhere_or_nowhere() -> None:
    """Where a function writes null for such words, it does not drop keys as well."""
    before = {"bio": "N/A", "site": "n/a", "age": 5}
    assert nested_losses([before], [{"age": 5}]) == []
    assert [loss.kind for loss in nested_losses([before], [{"bio": None, "age": 5}])] == ["key-lost"]


@pytest.mark.parametrize(
    ("before", "after", "lost"),
    [
        ({"name": "Ann", "id": 3}, "Ann", ".id"),
        (["a", "b"], "a", "[]"),
        ([{"k": "x", "n": 1, "z": "q"}], {"x": 1}, "[].z"),
        ({"v": 5.5, "u": "kg"}, "5.5 kg", ""),
        (["a", "b"], "a; b", ""),
        ([{"k": "x", "n": 1}], {"x": 1}, ""),
        ({"name": "Ann", "active": True}, "Ann", ".active"),
    ],
)
def test_what_was_inside_is_said_by_what_it_becomes(before: object, after: object, lost: str) -> None:
    """A list or an object that becomes a text, or one the other."""
    found = nested_losses([before], [after])
    assert [one.detail for one in found] == ([f"what was at {lost!r} is gone"] if lost else [])


def test_a_code_inside_a_record_that_becomes_a_number_is_suspected() -> None:
    """As in a column of its own."""
    leaves = by_place([{"zip": "02138"}], [{"zip": 2138}])[".zip"]
    assert suspicions([(leaf.before, leaf.after) for leaf in leaves])[0].kind == "type-changed"


def test_a_year_of_thousands_of_figures_is_no_date() -> None:
    """What a stranger's record holds is not read as a number beyond what Python reads."""
    record = {"year": "9" * 5000, "month": 1, "day": 2}
    assert all(loss.kind != "value-misread" for loss in nested_losses([record], ["2021-01-02"]))
    assert [loss.kind for loss in nested_losses([record | {"year": 2021}], ["2021-02-01"])] == ["value-misread"]


def test_values_stand_under_the_names_that_other_objects_show() -> None:
    """A first name as `family` is seen where objects with both names were there before."""
    people = [("King", "Ada"), ("Hopper", "Grace"), ("Liskov", "Barbara"), ("Turing", "Alan"), ("Knuth", "Donald")]
    before = [*({"family": family, "given": given} for family, given in people), *(", ".join(one) for one in people)]
    right = [*before[:5], *before[:5]]
    turned = [*before[:5], *({"family": given, "given": family} for family, given in people)]
    assert nested_losses(before, right) == []
    assert {loss.place for loss in nested_losses(before, turned)} == {".family", ".given"}


def test_a_lost_key_beside_values_of_typed_columns_is_seen() -> None:
    """Times and bytes of Parquet stand in no JSON."""
    kept = {"at": dt.datetime(2024, 5, 1, tzinfo=dt.UTC), "raw": b"x"}
    assert [loss.place for loss in nested_losses([{**kept, "place": "Oslo"}], [kept])] == [".place"]


@pytest.mark.parametrize(
    ("before", "after", "kinds"),
    [
        ('{"t": "say &quot;hi&quot;"}', '{"t": "say "hi""}', {"type-changed", "key-lost"}),
        ('["a", "b"]', "[a, b]", {"type-changed"}),
        ('{"t": "a", "n": 1}', '"t": "a", "n": 1', {"type-changed"}),
        ('{"t": "a", "n": 1}', '{"t": "a"}', {"key-lost"}),
        ('{"n": "1,312.50"}', '{"n": "131250"}', {"value-lost", "number-changed"}),
        ('["b", "a"]', '["a", "b"]', {"order-changed"}),
        ('["a", "b"]', "a; b", set()),
        ('{"t": "say &quot;hi&quot;"}', '{"t": "say \\"hi\\""}', set()),
        ('{"n": "1,250.00 "}', '{ "n" : "1250.00" }', set()),
        ("[1] see above", "(1) see above", set()),
    ],
)
def test_lists_and_objects_that_a_table_holds_as_json_are_looked_into(before: str, after: str, kinds: set[str]) -> None:
    """What stands in them is judged place by place, and a text that no program can read any more is suspected."""
    found = inside_doubts(([before], [after]), ([], []), by_row=False)
    assert {one.kind for one in found} == kinds


def test_an_example_settles_what_it_shows_inside_of_json() -> None:
    """It is read as the cells are."""
    column = (['["b", "a"]', '["d", "c"]'], ['["a", "b"]', '["c", "d"]'])
    assert inside_doubts(column, (['["f", "e"]'], ['["e", "f"]']), by_row=False) == []


def test_any_text_in_brackets_can_be_looked_into() -> None:
    """Keys that occur twice, numbers beyond what Python reads, texts that are no JSON, and deep ones stay texts."""
    deep = "[" * 150 + "]" * 150
    odd = [
        '{"a": 1, "a": 2}',
        "[" + "9" * 5000 + "]",
        "{}",
        "[NaN]",
        deep,
        "[" * 100_000 + "]" * 100_000,
        "[x]",
        "",
        None,
        5,
    ]
    assert read_inside(odd) == [*odd[:2], {}, ["NaN"], deep, *odd[5:]]
    assert inside_doubts((odd, odd), ([], []), by_row=False) == []


TRIMMED = '''"""Names carry stray blanks."""
import json
import pandas as pd
CONTRACT = {"shape": "table", "modifies": ["person"]}
def trim_names(df):
    """Strip them."""
    def fixed(cell):
        value = json.loads(cell) if isinstance(cell, str) and cell[:1] == "{" else None
        if not isinstance(value, dict) or not isinstance(value.get("name"), str):
            return cell
        return json.dumps({**value, "name": value["name"].strip()}, ensure_ascii=False)
    out = df.copy()
    out["person"] = pd.Series([fixed(cell) for cell in df["person"].tolist()], index=df.index, dtype=df["person"].dtype)
    return out
'''


@pytest.mark.parametrize(("tidy", "kind"), [(".strip()", ""), (".strip().split()[-1]", "words-lost")])
def test_an_object_in_a_table_is_not_judged_as_prose(
    local_sandbox: LocalSandbox, disposable: DisposableProcess, tidy: str, kind: str
) -> None:
    """Only what stands at a place counts there: a tab that goes from a name is no word, a first name is one."""
    first, last = ("Ben", "Łukasz", "Zoë", "Mia", "Anna"), ("Öztürk", "Klein", "Brown", "Müller")
    people = [
        {
            "name": f"\t{first[n % 5]} {last[n % 4]}" if n % 9 == 0 else f"{first[n % 5]} {last[n % 4]}",
            "tel": f"+49 {n}",
        }
        for n in range(80)
    ]
    table = pa.table({"person": [json.dumps(one, ensure_ascii=False) for one in people]})
    source = TRIMMED.replace(".strip()}", f"{tidy}}}")
    with closing(Verifier(local_sandbox, disposable)) as gate:
        found = gate.verify(VerifyRequest(source, Sample(table.slice(0, 60), table.slice(60)), quick=True))
    assert found.passed is not bool(kind)
    assert kind in {"", *(one.kind for one in found.concerns)}
