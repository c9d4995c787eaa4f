"""The first difference of two learnt states is named by its keys, not by a slice of the text."""

import json
from typing import Any

import pytest

from orchestrator.data.hostile.states import canonical
from orchestrator.gate.checks.fitted_checks.learns import difference


@pytest.mark.parametrize(
    ("wanted", "got", "sentence"),
    [
        ({"KI-950": {"A1": 1}}, {"KI-950": {"A1": 2}}, 'at ["KI-950"]["A1"] it holds 2 instead of 1'),
        ({"a": 1, "b": 2}, {"a": 1}, 'at ["b"] it holds nothing instead of 2'),
        ({"a": [1]}, {"a": [1, "x"]}, 'at ["a"][1] it holds "x" instead of nothing'),
        ({"a": True}, {"a": 1}, 'at ["a"] it holds 1 instead of true'),
        ({"a": 1}, {"a": 1.0}, 'at ["a"] it holds 1.0 instead of 1'),
        ({"a": 1}, [1], '[1] instead of {"a": 1}'),
        ({"a": 1}, {"a": 1}, ""),
    ],
)
def test_the_keys_say_where(wanted: Any, got: Any, sentence: str) -> None:
    assert difference(canonical(wanted), canonical(got)) == sentence


def test_long_values_are_cut() -> None:
    assert len(difference(json.dumps("x" * 10_000), json.dumps("y" * 10_000))) < 200
