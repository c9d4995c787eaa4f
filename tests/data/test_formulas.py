"""Which cells start a formula, whatever kind of array holds them."""

import pyarrow as pa
import pytest

from orchestrator.data.formulas import are_formulas, computes, planted

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
    "＝1",
    "ｘ＝",
    "= ",
]
FORMULAS = {"=1", "+a", "@a", "＝1", "= ", "\tx", "\r", "\n=", "=é"}


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


def test_a_formula_is_planted_where_there_was_none_with_that_sign() -> None:
    """A dash for nothing was none, and a handle is not the same as a formula; a trimmed formula is one still."""
    before = pa.array(["-", "@bob", "@bob ", "=A1 ", "=A1", "-5 EUR", None])
    after = pa.array(["=cmd|x", "=bob", "@bob", "=A1", "+SUM(A1)", "-5 €", "=1"])
    assert planted(before, after).to_pylist() == [True, True, False, False, False, False, True]


@pytest.mark.parametrize("text", ["=A", "\t=A", "＝A", "+SUM(A1)", "-2+cmd|' /C calc'!A0", "@SUM(1)", "-Sheet!A1"])
def test_a_formula_that_calls_something_computes(text: str) -> None:
    """Another sign in front of a word, an amount, a telephone number or a note does nothing."""
    assert computes(text)
    assert not any(map(computes, ["=", "-", "@ann", "+1 (555) 123-4567 ext. 5", "-5 °C", "- foo (bar)", None, 5, ""]))
