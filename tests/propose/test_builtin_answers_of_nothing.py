"""Words for nothing that are answers: what sources and rows of a key say together."""

import random

import pytest

from orchestrator.propose.builtin import majority, reports

SAID = ("gate change", "bag check", "strike", "ATC hold")


def flights(word: str, *, copies: int = 2, unknown: float = 0.0) -> tuple[list[tuple[str | None, ...]], dict[str, str]]:
    """(remark, flight, source) of 80 flights and what is right: half have none, and the copies tell others of three
    in ten. `unknown`: how often one of the other four sources says the word by chance.
    """
    draw = random.Random(4)  # noqa: S311 - data for a test
    right = {f"F{n:03}": word if n % 2 else draw.choice(SAID) for n in range(80)}
    rows: list[tuple[str | None, ...]] = []
    for n, (flight, remark) in enumerate(right.items()):
        stale = draw.choice([text for text in SAID if text != remark]) if n % 10 < 3 else remark
        rows += [(stale, flight, f"copy{place}") for place in range(copies)]
        rows += [(word if draw.random() < unknown else remark, flight, f"own{place}") for place in range(4)]
    return rows, right


@pytest.mark.parametrize("word", ["none", "None", "unknown", "n/a"])
def test_what_most_sources_call_nothing_is_not_filled_by_a_liar_and_its_copy(word: str) -> None:
    """`none` of four sources became the claim of a stale one and its copy; what has a remark is still settled."""
    rows, right = flights(word)
    rights = reports._decide(reports._learn(rows))
    after = [reports._settle(row, rights) for row in rows]
    broken = [row for row, new in zip(rows, after, strict=True) if row[0] == right[str(row[1])] != new[0]]
    assert broken == []
    settled = [key for key in right if right[key] in SAID]
    assert [rights[key][0] for key in settled] == [right[key] for key in settled]


def test_sources_that_do_not_know_are_told_by_the_others() -> None:
    """Where a word for nothing comes by chance, what two sources and more say is written in its place."""
    rows, right = flights("unknown", unknown=0.15)
    some = [row for row in rows if right[str(row[1])] in SAID]
    rights = reports._decide(reports._learn(some))
    told = [rights[str(row[1])][0] for row in some if row[0] == "unknown"]
    assert len(told) > 15
    assert sum(text in SAID for text in told) > 0.8 * len(told)


def test_what_most_rows_of_a_declared_key_call_nothing_stays() -> None:
    """Two rows of five do not overrule three that say `none`, and three fill what two do not know."""
    rows: list[tuple[str | None, ...]] = [(text, "a") for text in ("none", "none", "none", "frost", "frost")]
    rows += [(text, "b") for text in ("none", "unknown", "frost", "frost", "frost")]
    assert majority._decide(majority._learn(rows)) == {"a": [None], "b": ["frost"]}
