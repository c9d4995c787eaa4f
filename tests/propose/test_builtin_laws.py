"""The laws of the gate, on every kind of function that the rules emit, over drawn columns.

The functions come from a messy example each; then they meet texts that no example held: mutations of the learnt ones,
fragments of numbers, dates and entities, and any unicode.
"""

from functools import cache, partial
from typing import Any

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orchestrator.core.conventions import Conventions
from orchestrator.core.policy import ScreenPolicy
from orchestrator.gate.screen import problems
from tests.propose.builtin_help import Emitted, column, settle
from tests.support.cpu_time import seconds

NAMES = [f"{a} {b}" for a in ("Anna", "Bruno", "Carla", "Dirk") for b in ("Stone", "McDonald", "Meyer")] * 2
THINGS = [[f"100{n}", f"Saint {name}", town] for n, (name, town) in enumerate(
    [("Anne", "Dothan"), ("Bruno", "Gadsden"), ("Clara", "Mobile"), ("Denis", "Decatur"), ("Edda", "Fairhope")]
) for _ in range(9)]  # fmt: skip
THINGS[0][0] = "1x00"
CONTRADICTED = [list(row) for row in THINGS]
CONTRADICTED[3][2], CONTRADICTED[14][2] = "Mobile", ""
JOINED = [[state, f"pn-{n % 5}", f"{state}_pn-{n % 5}"] for n, state in enumerate(["al"] * 40 + ["ak"] * 20)]
JOINED[0][2] = "al_px-0"

FRAMES: dict[str, pd.DataFrame] = {
    "blanks": column([" a", "b  c", "d e", *(f"w{n}  x" for n in "abcdef")]),
    "encoding": column(["CafÃ©", "Salt &amp; Pepper", "plain"]),
    "null words": column(["1", "2", "N/A", "-"]),
    "null words beside nulls": column(["1", "2", "N/A", None]),
    "money": column(["$1,234.50", "12.00", "8,90", "USD 3.10", "4.00"]),
    "units": column(["1.2 kg"] * 12 + ["0.4kg", "400 g", "2,5 KG"]),
    "per cent": column(["10%"] * 9 + ["5 %", "7 percent", "5.0%"]),
    "float noise": column(["0.05", "0.07%", "0.10400000000000001", "0.06", "0.08", "0.03", "0.04"]),
    "lost integers": column(["5.0", "", "12.0", "three", "7"]),
    "decimal commas": column(["1.234,50", "2.500", "893,47", "12 933,70 €", "7.310,00", "45,5", "k.A."]),
    "groups": column(["1 792 385", "218 559", "12 000", "986"], "n", chf=["1'234.50", "9.95", "-12'000.00", "3"]),
    "exponents": column(["4006381333931", "4.006381051998e12", "4006381333949", "4006381333930"]),
    "accents": column(["caf\u00e9", "cafe\u0301", "\u00e9t\u00e9"]),
    "sexes": column(["M", "F"] * 9 + ["Male", "female", "m", "X"]),
    "dates": column(["2024-05-06", "25/12/2024", "31/01/2024", "19/02/2024", "May 4, 2024", "2024/7/9", "3-Jun-2024"]),
    "times": column([*(f"2024-03-{day} 08:15:00" for day in range(13, 29)), "15.03.2024 11:00", "5 Mar 2024, 5:00 pm"]),
    "months": column([f"{day:02}/03/2024" for day in range(1, 29)] + ["5 mars 2023", "11. März 2023", "2024年3月5日"]),
    "wide letters": column([f"03-1234-56{n}" for n in range(10, 30)] + ["０３－１２３４－５６７８"]),
    "booleans": column(["yes"] * 6 + ["no"] * 6 + ["Y", "TRUE", "0"]),
    "phones": column([f"512-555-01{n:02}" for n in range(20)] + ["(512) 555-0199", "+1 512 555 0199"]),
    "zip": column(["02108", "06103", "2140", "90210", "10001", "01001"]),
    "mail": column([f"user{n}@example.com" for n in range(20)] + ["ANN@EXAMPLE.COM"]),
    "places": column(
        ["Portland OR", "Reno NV", "San Jose CA", "Bend", "Gary", "Oakland"] * 2,
        state=["", "", "", "OR", "NV", "CA"] * 2,
    ),
    "states": column(["RI", "MA", "TX", "CA", "NY", "WA", "IL", "OH", "Rhode Island"]),
    "spelling": column(["Springfield"] * 30 + ["Hamilton"] * 25 + ["HAMILTON", "Sprngfield", "Hamlton", '"Hamilton"']),
    "names": column([*NAMES, "ANNA STONE", "dirk meyer"]),
    "codes": column([*(f"ORD-{n}" for n in range(1000, 1040)), "ord-2000"]),
    "usual words": column([f"{n} patients" for n in range(60)] + ["7 patiexts", "8 paxients", "9 patient"]),
    "composites": pd.DataFrame(JOINED, columns=["state", "code", "both"], dtype=str),
    "things": pd.DataFrame(THINGS, columns=["number", "name", "town"], dtype=str),
    "contradictions": pd.DataFrame(CONTRADICTED, columns=["number", "name", "town"], dtype=str),
    "crossed out": column(["Springfield"] * 9 + ["90210"] * 9 + ["OAKS"] * 9 + ["Sxringfixld", "9021x", "xAKS"]),
    "open names": column([*(f"{n} only once" for n in "abcdefghijklmnopqrst"), *["Tallgrass Brewing"] * 9,
                          *["Sixpoint Craft Ales"] * 9, "Tallgras Brewing", "Sixpoint Crft Ales"]),
    "usual dates": column([f"{day:02}/03/2024" for day in range(1, 29)] + ["2024-03-05", "March 4, 2024"]),
    "old dates": column(["4/2/15", "1/1/09", "7/1/01", "1/1/07", "12/1/06", "1/1/71", "", "5/20/09"], "day"),
    "declared": column(["open", "Opne", "CLOSED", "shut", "-1", ""], "state", who=["o'neil", "LEE", "", "x", "", ""],
                       size=["1.234,50", "7,5", "3", "", "0,1", "2"], key=list("aabbbb")),
}  # fmt: skip
CONVENTIONS = {
    "old dates": Conventions.model_validate({"columns": {"day": {"dates": {"read": "ymd", "write": "m/d/yy"}}}}),
    "declared": Conventions.model_validate(
        {
            "all": {"null": "none"},
            "columns": {
                "state": {"values": ["open", "closed", "none"], "spellings": {"shut": "closed"}, "null_words": ["-1"]},
                "who": {"case": "title", "settled_by": ["key"]},
                "size": {"numbers": {"decimal": ","}},
            },
        }
    ),
}


@cache
def emitted_for(kind: str) -> list[Emitted]:
    """The functions that the rules write for the messy example."""
    return settle(FRAMES[kind], conventions=CONVENTIONS.get(kind))[1]


PIECES = [" ", "  ", "\u00a0", "\u200b", "&amp;", "&#39;", "Ã©", "â€™", "-", ".", ",", "$", "%", " kg", " oz.", "12",
          "3", "0", "1,234", "2024", "/", "N/A", "x", "é", "ß", "İ", "١", "yes", "\n", '"', "\ufeff"]  # fmt: skip


def texts(frame: pd.DataFrame) -> st.SearchStrategy[Any]:
    """Known cells, known cells with a letter changed, fragments put together, and any text at all; also nulls."""
    cells = sorted({cell for name in frame for cell in frame[name].dropna()})
    known = st.sampled_from(cells)
    mutated = st.builds(
        lambda cell, at, piece: cell[: at % (len(cell) + 1)] + piece + cell[at % (len(cell) + 1) + 1 :],
        known, st.integers(0, 40), st.sampled_from([*PIECES, "a", "Z", ""]),
    )  # fmt: skip
    glued = st.lists(st.sampled_from(PIECES), max_size=5).map("".join)
    return st.one_of(known, known.map(str.upper), mutated, glued, st.text(max_size=12), st.none())


@cache
def frames(kind: str) -> st.SearchStrategy[pd.DataFrame]:
    """Frames like the messy example. Kept, since making the strategy takes longer than drawing from it."""
    frame = FRAMES[kind]
    row = st.tuples(*[texts(frame)] * len(frame.columns))
    return st.lists(row, max_size=6).map(lambda rows: pd.DataFrame(rows, columns=list(frame.columns), dtype="str"))


@pytest.mark.parametrize("kind", FRAMES)
def test_every_kind_is_emitted(kind: str) -> None:
    """Each messy example yields at least one function that passes the screen and keeps its own examples."""
    assert emitted_for(kind)
    for emitted in emitted_for(kind):
        assert problems(emitted.candidate, ScreenPolicy()) == []
        for example in emitted.candidate.contract.examples:
            row = dict.fromkeys(emitted.candidate.contract.modifies or ()) | dict(example.input)
            after = emitted.clean(pd.DataFrame([row], dtype="str")).iloc[0]
            assert {k: None if pd.isna(after[k]) else after[k] for k in example.output} == example.output
        assert emitted.candidate.contract.examples


@pytest.mark.parametrize("kind", FRAMES)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_laws(kind: str, data: st.DataObject) -> None:
    """Pure, same shape and types, idempotent, nothing flagged afterwards, unflagged rows kept, row by row."""
    frame = data.draw(frames(kind))
    for emitted in emitted_for(kind):
        original = frame.copy(deep=True)
        after, flagged = emitted.clean(frame), emitted.detect(frame)
        _same(frame, original)
        assert list(after.dtypes) == list(frame.dtypes)
        assert list(after.index) == list(frame.index)
        assert flagged.dtype == bool
        _same(emitted.clean(after), after)
        assert not emitted.detect(after).any()
        _same(after[~flagged], frame[~flagged])
        untouched = [name for name in frame if name not in (emitted.candidate.contract.modifies or ())]
        _same(after[untouched], frame[untouched])
        if len(frame):
            parts = [emitted.clean(frame.iloc[[row]]) for row in range(len(frame))]
            _same(pd.concat(parts), after)
            _same(emitted.clean(frame.iloc[::-1]), after.iloc[::-1])
        frame = after


def _same(one: pd.DataFrame, other: pd.DataFrame) -> None:
    """`assert_frame_equal`, which is slow, where there is a difference to be told."""
    if not one.equals(other):
        pd.testing.assert_frame_equal(one, other)


@pytest.mark.parametrize("kind", FRAMES)
def test_cells_that_are_no_text_stay(kind: str) -> None:
    """Numbers, lists and missing values in an object column pass through untouched; so does an empty frame."""
    odd: list[Any] = [1, 2.5, None, float("nan"), ["a"], {"b": 1}, True]
    frame = pd.DataFrame({name: pd.Series(odd, dtype=object) for name in FRAMES[kind]})
    for emitted in emitted_for(kind):
        assert not emitted.detect(frame).any()
        after = emitted.clean(frame)
        assert all(a is b for name in frame for a, b in zip(after[name], frame[name], strict=True))
        empty = FRAMES[kind].iloc[:0]
        pd.testing.assert_frame_equal(emitted.clean(empty), empty)
        assert len(emitted.detect(empty)) == 0


def test_many_rows_cost_about_as_much_as_to_look_at_them() -> None:
    """Each distinct text is worked out once, so rows are cheap: at most eight plain passes over all cells."""
    for kind, frame in FRAMES.items():
        long = pd.concat([frame] * (40_000 // len(frame)), ignore_index=True)

        def look(long: pd.DataFrame = long) -> object:
            return [[str(cell) for cell in long[name]] for name in long]

        pass_s = seconds(look)
        for emitted in emitted_for(kind):
            clean = partial(emitted.clean, long)  # other programs slow one of both down now and then, not twice
            assert seconds(clean) < 8 * pass_s or seconds(clean) < 8 * seconds(look), kind
