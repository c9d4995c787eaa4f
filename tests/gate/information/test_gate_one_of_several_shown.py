"""A witness of one currency, size, denominator or word is none of the others. Flags and addresses of the net."""

import pytest

from orchestrator.gate.information.changes import Change
from orchestrator.gate.information.suspicions import suspicions

SWISS, GERMAN = "\U0001f1e8\U0001f1ed", "\U0001f1e9\U0001f1ea"
WRONG: list[tuple[str, list[Change], list[Change]]] = [
    ("quantity-changed", [("2 mrd", "2000000"), ("5 mio", "5000000")], [("3 mio", "3000000")]),
    ("quantity-changed", [("1.5m", "1500"), ("50k", "50000"), ("700", "700")], []),
    ("quantity-changed", [("0.5%", "0.5"), ("5%", "0.05"), ("7%", "0.07")], [("12%", "0.12")]),
    ("quantity-changed", [("0x10", "10"), ("0x22", "34"), ("20", "20")], [("0x1F", "31")]),
    ("quantity-changed", [("99\u00a2", "99"), ("$2.50", "2.50")], [("$1.50", "1.50")]),
    ("quantity-changed", [("99\u00a2", "99"), ("$2.50", "2.50")], []),
    ("quantity-changed", [("50p", "50"), ("\u00a31.20", "1.20")], []),
    ("quantity-changed", [("8/10", "8"), ("3/5", "3")], [("4/5", "4")]),
    ("quantity-changed", [("8 of 10", "8"), ("3 of 5", "3")], [("4 of 5", "4")]),
    ("quantity-changed", [("44 BC", "44"), ("79 AD", "79")], [("12 AD", "12")]),
    ("separator-moved", [("1.000 \u20ac", "1.000"), ("12,50 \u20ac", "12.50")], [("8,20 \u20ac", "8.20")]),
    ("separator-moved", [("1.000 \u20ac", "1.000"), ("8,20 \u20ac", "8.20")], [("8,20 \u20ac", "8.20")]),
    ("separator-moved", [("12,50", "12.50"), ("8,20", "8.20"), ("1.000", "1.000")], []),
    ("values-collapse", [("Mixed", "M"), ("Male", "M"), ("Female", "F")], [("Male", "M")]),
    (
        "word-replaced",
        [("\U0001f1e8\U0001f1ed", "CN"), ("\U0001f1e9\U0001f1ea", "DE")],
        [("\U0001f1e9\U0001f1ea", "DE")],
    ),
    ("mark-lost", [("2001:db8::1", "2001:db8:1"), ("::1", ":1")], []),
    ("letters-lost", [("0x10", "10"), ("20", "20"), ("0x1F", "1F")], []),
]


@pytest.mark.parametrize(("kind", "cells", "shown"), WRONG)
def test_the_others_are_suspected(kind: str, cells: list[Change], shown: list[Change]) -> None:
    """Until they are shown themselves."""
    assert kind in {one.kind for one in suspicions(cells, shown)}


RIGHT: list[tuple[list[Change], list[Change]]] = [
    ([("2 mrd", "2000000000"), ("5 mio", "5000000")], [("3 mio", "3000000")]),
    ([("1.25 million", "1250000"), ("3,5 Mio.", "3500000")], [("3 million", "3000000")]),
    ([("0.5%", "0.005"), ("5%", "0.05"), ("12.5%", "0.125")], [("12%", "0.12")]),
    ([("1.5m", "1500000"), ("50k", "50000"), ("700", "700")], []),
    ([("1.5m", "1.5"), ("3 m", "3"), ("2.5", "2.5")], []),
    ([("1%", "1"), ("3,5%", "3.5"), ("0 %", "0"), ("20%", "20")], [("5%", "5")]),
    ([("0x10", "16"), ("20", "20")], [("0x1F", "31")]),
    ([("4.795,-", "4.795,-"), ("1.273,20", "1273.20"), ("8,20", "8.20")], []),
    ([("0x10", "10"), ("0x1F", "1F")], [("0xAB", "AB")]),
    ([("99\u00a2", "0.99"), ("$2.50", "2.50")], [("$1.50", "1.50"), ("50\u00a2", "0.50")]),
    ([("3/5", "3"), ("2/5", "2")], [("4/5", "4")]),
    ([("8/10", "8"), ("3/5", "3")], [("4/5", "4"), ("9/10", "9")]),
    ([("44 BC", "-44"), ("79 AD", "79")], [("12 AD", "12"), ("9 BC", "-9")]),
    ([("1.000,50 \u20ac", "1000.50"), ("12,50 \u20ac", "12.50")], [("8,20 \u20ac", "8.20")]),
    ([("12,50", "12.50"), ("8,20", "8.20"), ("3.5", "3.5"), ("1.250", "1.250")], [("9,10", "9.10")]),
    ([("Male", "M"), ("male", "M"), ("Female", "F"), ("Females", "F")], [("Male", "M")]),
    ([("Mixed", "M"), ("Male", "M")], [("Male", "M"), ("Mixed", "M")]),
    ([("\U0001f1e8\U0001f1ed", "CH"), ("\U0001f1ec\U0001f1e7", "UK"), ("FR", "FR")], []),
    ([("FE80::2", "fe80::2")], []),
]


@pytest.mark.parametrize(("cells", "shown"), RIGHT)
def test_right_ones_are_believed(cells: list[Change], shown: list[Change]) -> None:
    """Each becomes what it says, or somebody has shown its kind."""
    assert suspicions(cells, shown) == []
