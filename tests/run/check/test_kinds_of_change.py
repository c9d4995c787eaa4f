"""Of all changes that a function makes, some rows of each kind are picked, however rare the kind is."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest

from orchestrator.run.rows.contract import CheckedBatch
from orchestrator.run.rows.kinds_of_change import MOST, MOST_ALIKE, MOST_CHARACTERS, UNCHANGED, KindsOfChange
from orchestrator.run.rows.rows_beside import MAX_BYTES, MAX_TEXT


def batch(before: Sequence[str | None], after: Sequence[str | None]) -> CheckedBatch:
    given, made = (pa.table({"cell": pa.chunked_array([pa.array(cells, pa.string())])}) for cells in (before, after))
    mask = np.array([one != other for one, other in zip(before, after, strict=True)])
    return CheckedBatch(given, made, np.arange(len(before)), {"cell": mask})


def picked(*batches: CheckedBatch) -> list[tuple[str | None, str | None]]:
    """The changes that were picked, and the cells that stay."""
    kinds = KindsOfChange(("cell",))
    for one in batches:
        kinds.take(one)
    before, after = (table.column("cell").to_pylist() for table in kinds.rows_of("cell"))
    return list(zip(before, after, strict=True))


def test_one_rare_change_among_thousands_is_picked() -> None:
    """It looks like all others, but has other letters afterwards; it comes in the third batch."""
    ranges = range(5000), range(5000, 10_000)
    many = [batch([f" Aa{row}b" for row in rows], [f"Aa{row}b" for row in rows]) for rows in ranges]
    last = [f" Aa{row}b" for row in range(5000)], [f"Aa{row}b" for row in range(5000)]
    last[1][4321] = "Xy99z"
    found = picked(*many, batch(*last))
    assert (" Aa4321b", "Xy99z") in found
    assert len(found) < MOST


@pytest.mark.parametrize(
    ("cell", "spoilt"),
    [(" 3217.25 ", "3271.25"), (" 3217.25 ", "3.21725"), (" 3217.25 ", "32172.5"), (" Ab Cde", "Cde Ab")],
)
def test_the_same_letters_and_figures_in_another_order_are_another_kind(cell: str, spoilt: str) -> None:
    """The cells look like thousands of others, and so does what they become."""
    many = [f" {number}.{number % 90 + 10} " for number in range(1000, 3000)]
    many += [f" Xy Z{'a' * (number % 30 + 1)}" for number in range(2000)]
    cells, made = ([*many[:1234], one, *many[1234:]] for one in (cell, spoilt))
    found = picked(batch(cells, [one.strip() for one in made]))
    assert (cell, spoilt) in found
    assert len(found) < MOST // 2


def test_rare_changes_of_letters_are_picked_after_very_many_kinds() -> None:
    """Addresses are of forms of their own; what is put in is not."""
    texts = [f"{a}{b}{c}{d}" for a in ("1", "a", "-") for b in " ./" for c in ("A", "#", "b") for d in "-;:,"] * 2
    texts = [f"{one}q{other}" for one in texts[:40] for other in texts[:40]]
    first = batch([f"{text} St" for text in texts], [f"{text} Street" for text in texts])
    found = picked(first, first, batch(["b "], ["c"]), batch([f"{texts[7]} St"], [f"{texts[8]} Street"]))
    assert {("b ", "c"), (f"{texts[7]} St", f"{texts[8]} Street")} <= {*found}
    assert len(found) <= MOST


def test_all_changes_of_a_column_with_few_are_picked() -> None:
    """Letters for letters: each pair may be the wrong one."""
    words = [f"{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(MOST_ALIKE)]
    found = picked(batch(words * 20, [word[::-1] + "q" for word in words] * 20))
    assert {before for before, _ in found} == {*words}


def test_rows_that_stay_are_kept_beside_them() -> None:
    """Also one that has been what a changed cell becomes, in a later batch."""
    one = batch([" Rome", *["Oslo"] * 3000], ["Rome", *["Oslo"] * 3000])
    found = picked(one, batch(["Rome", "Oslo"], ["Rome", "Oslo"]))
    assert found.count(("Oslo", "Oslo")) == UNCHANGED
    assert ("Rome", "Rome") in found


def test_long_cells_are_not_looked_at() -> None:
    """The laws would take long on them; short ones beside them are picked."""
    found = picked(batch(["a" * MAX_TEXT + "b", " c"], ["d", "c"]))
    assert [one for one in found if one[0] != one[1]] == [(" c", "c")]


def test_few_changes_of_long_cells_are_picked() -> None:
    """Of 400 the laws took minutes, in the process that writes. Room is left for a rare change that comes late."""
    texts = [f"{'ab ' * 300}{chr(97 + number % 26)}{number}" for number in range(400)]
    found = picked(batch(texts, [f"{text}z" for text in texts]), batch(["b "], ["c"]))
    assert sum(len(one or "") for pair in found for one in pair) < MOST_CHARACTERS
    assert len(found) > 10
    assert ("b ", "c") in found


def test_missing_cells_are_changes_like_others() -> None:
    """A cell that becomes missing, and one that is filled."""
    assert {*picked(batch(["a", None, "b"], [None, "c", "b"]))} == {("a", None), (None, "c"), ("b", "b")}


def test_many_kinds_of_harmless_changes_hide_no_other() -> None:
    """Each text of the first batch is a kind of its own."""
    texts = ["".join("-. "[number >> place & 1] + "a" for place in range(10)) for number in range(1000)]
    first = batch([f" {text}" for text in texts], texts)
    assert ("b ", "c") in picked(first, batch(["b "], ["c"]))


@pytest.mark.parametrize(
    "beside",
    [
        pa.array(["x", None], pa.string_view()),
        pa.array([b"x", None], pa.binary_view()),
        pa.array([["x"], None], pa.list_(pa.string_view())),
        pa.RunEndEncodedArray.from_arrays([1, 2], ["x", "y"]),
        pa.UnionArray.from_sparse(pa.array([0, 1], pa.int8()), [pa.array([1, 2]), pa.array(["a", "b"])]),
        pa.array([1, 2], pa.duration("ns")),
        pa.nulls(2),
    ],
    ids=lambda beside: str(beside.type),
)
def test_columns_of_any_type_may_stand_beside_it(beside: pa.Array) -> None:
    """Of some types Arrow cannot pick rows; today's readers make plain ones of them, which nothing here relies on."""
    given, made = (pa.table({"cell": cells, "beside": beside}) for cells in ([" a", "b"], ["a", "b"]))
    mask = np.array([True, False])
    kinds = KindsOfChange(("cell",))
    for _ in range(2):
        kinds.take(CheckedBatch(given, made, np.arange(2), {"cell": mask}))
    assert (" a", "a") in zip(*(table.column("cell").to_pylist() for table in kinds.rows_of("cell")), strict=True)


def test_a_column_of_another_type_in_each_batch_is_looked_at_as_text() -> None:
    """Arrow does not merge numbers with texts."""
    kinds = KindsOfChange(("cell",))
    for made in (["a", "b"], [1, 2]):
        given, result = pa.table({"cell": [" a", " b"]}), pa.table({"cell": made})
        kinds.take(CheckedBatch(given, result, np.arange(2), {"cell": np.array([True, True])}))
    assert kinds.rows_of("cell")[1].column("cell").to_pylist() == ["a", "b", "1", "2"]


def test_a_view_is_looked_at_as_the_text_that_it_is() -> None:
    """And cells of which none is left."""
    view = pa.chunked_array([pa.array([" a"], pa.string_view())])
    kinds = KindsOfChange(("cell",))
    kinds.take(
        CheckedBatch(pa.table({"cell": view}), pa.table({"cell": [""]}), np.arange(1), {"cell": np.array([True])})
    )
    assert [table.column("cell").to_pylist() for table in kinds.rows_of("cell")] == [[" a"], [""]]


@pytest.mark.parametrize("document", ["x" * 2**20, ["x" * 2**20]], ids=["text", "list"])
def test_large_cells_beside_the_changed_ones_cost_little_memory(document: object) -> None:
    """Of a text its beginning is kept; after some MiB of anything else no more batches are looked at."""
    kinds = KindsOfChange(("cell",))
    rows = 8
    for batch_number in range(10):
        cells = [f"{batch_number}.{row}" for row in range(rows)]
        tables = [pa.table({"cell": one, "document": [document] * rows}) for one in (cells, [c + "!z" for c in cells])]
        kinds.take(CheckedBatch(tables[0], tables[1], np.arange(rows), {"cell": np.ones(rows, np.bool_)}))
    kept = kinds.rows_of("cell")[0]
    assert 2 * kept.nbytes < MAX_BYTES + 2 * 2 * rows * 2**20
    assert kept.num_rows == 10 * rows or isinstance(document, list)


def test_nothing_is_picked_where_nothing_changes() -> None:
    """There is nothing to look at."""
    kinds = KindsOfChange(("cell",))
    kinds.take(batch(["a"], ["a"]))
    assert kinds.columns() == {}
