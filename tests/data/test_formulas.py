"""Which cells start a formula, whatever kind of array holds them."""

import pyarrow as pa
import pytest

from orchestrator.data.formulas import are_formulas

TEXTS = [
    "=1",
    "+1",
    "+a",
    "-",
    "-5.3 %",
    "@a",
    "\tx",
    "\r",
    "\n=",
    "é=",
    "=é",
    "abc",
    "",
    None,
    "+49 (0)30 123-4",
    "x=",
]
FORMULAS = {"=1", "+a", "-", "@a", "\tx", "\r", "\n=", "=é"}


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_a_cell_counts_by_its_first_character_and_a_number_does_not(kind: pa.DataType) -> None:
    """Also in slices and in several chunks; what is missing or blank is no formula."""
    whole = pa.array(TEXTS, kind)
    for start in range(len(TEXTS) + 1):
        cut = whole.slice(start)
        expected = [text in FORMULAS for text in TEXTS[start:]]
        assert are_formulas(cut).to_pylist() == expected
        chunked = pa.chunked_array([cut, whole], kind)
        assert are_formulas(chunked).to_pylist() == expected + [text in FORMULAS for text in TEXTS]


def test_a_column_without_rows_or_values_has_no_formulas() -> None:
    """Arrow then keeps no bytes to look at."""
    assert are_formulas(pa.array([], pa.string())).to_pylist() == []
    assert are_formulas(pa.chunked_array([], pa.string())).to_pylist() == []
    assert are_formulas(pa.nulls(2, pa.string())).to_pylist() == [False, False]
