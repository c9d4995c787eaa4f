"""Cells of an added column that their row contradicts, or that are built as no shown one is, are held."""

import pyarrow as pa
import pytest

from orchestrator.core.candidate import Example
from orchestrator.core.ports import Sample, VerifyRequest
from orchestrator.core.verdict import Outcome
from orchestrator.gate.information.row_evidence.added_codes import ShownCodes
from orchestrator.gate.information.row_evidence.added_parts import cut_elsewhere, unsaid
from orchestrator.gate.information.row_evidence.added_words import CUT, PARTED, RECASED, otherwise_than_in_row
from orchestrator.gate.information.row_evidence.band_labels import off_label
from orchestrator.gate.information.row_evidence.counted_days import counted_from_no_day
from orchestrator.gate.verifier import Verifier
from tests.gate.age_bands import AGES, SOURCE, TABLE

RIGHT = "'0-17' if a < 18 else '18-29' if a < 30 else '30-64' if a < 65 else '65+'"
WRONG = RIGHT.replace("a < 30", "a <= 30")
DAYS = [f"2023-01-{day:02}" for day in range(1, 29)]


def label(age: int) -> str:
    return "0-17" if age < 18 else "18-29" if age < 30 else "30-64" if age < 65 else "65+"


@pytest.mark.parametrize(("limits", "shown", "held"), [(RIGHT, "9", False), (WRONG, "9", True)])
def test_a_label_that_names_another_range_is_held(gate: Verifier, limits: str, shown: str, *, held: bool) -> None:
    """30 in `18-29` is a mistake in a limit, whatever an example of another row shows."""
    example = Example(input={"id": "P1", "age": shown}, output={"id": "P1", "age": shown, "band": label(int(shown))})
    request = VerifyRequest(
        SOURCE.replace("LIMITS", limits), Sample(TABLE.slice(0, 70), TABLE.slice(70)), examples=(example,)
    )
    verdict = gate.verify(request)
    assert bool([one for one in verdict.concerns if one.kind == "label-contradicted"]) is held
    assert verdict.verdict == (Outcome.HOLD if held else Outcome.PASS), (verdict.failures, verdict.concerns)


@pytest.mark.parametrize(
    ("age", "band", "found"),
    [
        (30, "18-29", True),
        (17.9, "0-17", False),
        (None, "65+", True),
        (0, None, True),
        (-1, None, False),
        (614, None, False),
    ],
)
def test_a_label_says_which_numbers_are_its_own(age: float | None, band: str | None, *, found: bool) -> None:
    """Also where a number in its range gets none; beyond the closed ranges nothing is known."""
    labels: list[str | None] = [*map(label, AGES), band]
    assert (off_label(labels, [*AGES, age]) is not None) is found


def test_labels_of_other_numbers_say_nothing() -> None:
    """Where few of the numbers lie in the ranges, the labels speak of something else."""
    assert off_label([*map(label, AGES)], [age + 400 for age in AGES]) is None


@pytest.mark.parametrize(
    ("made", "row", "found"),
    [
        ("Ada J. Roe", ["Ada", "J.", "Roe"], set()),
        ("Ada S. Roe", ["Ada", "Stool", "Roe"], {CUT}),
        ("Il", ["Peoria, Illinois 61601"], {CUT}),
        ("IL", ["Peoria, IL 61601"], set()),
        ("Ada Roe", ["Ada", "ROE"], {RECASED}),
        ("no", ["none"], set()),
        ("CO", ["Cy O'Hara", "cy@shop.co.uk"], set()),
        ("CO", ["Ann Roe", "ann@shop.co.uk"], {RECASED}),
        ("mail.shop.co.uk", ["Ann Roe", "ann@Mail.Shop.co.uk"], set()),
        ("ann", ["Ann Roe", "ann.roe@shop.co.uk"], set()),
        ("roe", ["Ann Roe", "ann@shop.co.uk"], {RECASED}),
        (None, ["Ada"], set()),
        (7, ["Ada"], set()),
    ],
)
def test_words_of_a_row_are_taken_over_whole(made: object, row: list[object], found: set[str]) -> None:
    """Cut or in other capitals they are another form, which an example shows where it is wanted."""
    assert otherwise_than_in_row(made, row) == found


@pytest.mark.parametrize(
    ("shown", "cell", "found"),
    [
        (["62701", "02108"], "3110", True),
        (["62701", "02108"], "10001-0123", False),
        (["62701", "12108"], "3110", False),
        (["Lima", "Oslo"], "32 Park Street, Lima", True),
        (["Lima", "Oslo"], "Boston", False),
        (["Lima"], "32 Park Street", False),
    ],
)
def test_codes_are_built_as_the_shown_ones(shown: list[str], cell: str, *, found: bool) -> None:
    """A zero in front shows that all are as long; several cells without figures, that the column has none."""
    assert (ShownCodes(shown).first_other([cell, None]) is not None) is found


@pytest.mark.parametrize(
    ("paid", "found"), [("2023-02-30", True), ("2023-03-01", False), ("soon", False), (None, False)]
)
def test_days_are_counted_between_days_of_the_calendar(paid: str | None, *, found: bool) -> None:
    """Not from one that no calendar has, where all other rows count from one day to the other."""
    columns: dict[str, list[str | None]] = {"due": ["2023-01-01"] * 29, "paid": [*DAYS, paid]}
    assert (counted_from_no_day([*range(28), 4], columns) is not None) is found


PLACES = [*["Austin, TX", "Winston-Salem, NC", "New York, NY", "St. Louis, MO", "Boise, ID"] * 3, "Washington"]
OF_PLACES = [({"place": "Austin, TX"}, {"city": "Austin", "state": "TX"})]


@pytest.mark.parametrize(
    ("made", "found"),
    [
        ([place[-2:] if "," in place else "TX" for place in PLACES], 15),
        ([place[-2:] if "," in place else None for place in PLACES], None),
        ([place[-2:].lower() for place in PLACES[:-1]], None),
        (["unknown" if "," not in place else place[-2:] for place in PLACES], None),
    ],
)
def test_a_value_that_its_row_does_not_say_is_held(made: list[str | None], found: int | None) -> None:
    """Where the row of each example says its value; words for nothing and another case are none."""
    assert unsaid(made, {"place": PLACES[: len(made)]}, OF_PLACES, "state") == found


def test_numbers_that_the_row_does_not_say_are_held() -> None:
    """Of dates, not of what has a unit and may be converted; not where the example's own is counted, or most are."""
    dates = ["01.02.1950", "07.11.1988", "2003-05-19", "12.12.1970"]
    shown = [({"born": "03.04.1961"}, {"year": 1961})]
    assert unsaid([1950, 1988, 1903, 1970], {"born": dates}, shown, "year") == 2
    assert unsaid([1950, 1988, 2003, 1970], {"born": dates}, shown, "year") is None
    assert unsaid([1950, 1903, 1903, 1970][:3], {"born": dates[:3]}, shown, "year") is None
    assert unsaid([1950, 1988, 1903, 1970], {"born": dates}, [({"born": "1961-04-03"}, {"year": 61})], "year") is None
    weights, grams = ["500 g", "250 g", "1.5 kg", "750 g"], [500, 250, 1500, 750]
    assert unsaid(grams, {"weight": weights}, [({"weight": "300 g"}, {"grams": 300})], "grams") is None


def test_a_value_of_another_row_is_looked_up_there() -> None:
    """The earliest date of a family of patents stands in one row and holds for all."""
    shown = [({"filed": "2001-04-03"}, {"first": "2001-04-03"})]
    filed, first = ["2002-05-01", "2003-01-02", "2004-09-09", None], ["2002-05-01"] * 2 + ["2004-09-09", "2002-05-01"]
    assert unsaid(first, {"filed": filed}, shown, "first") is None


@pytest.mark.parametrize(
    ("cells", "made", "shown", "cut"),
    [
        ("New York, NY", "New", ("Austin, TX", "Austin"), True),
        ("St. Louis, MO", "Louis", ("Austin, TX", "Austin"), True),
        ("New York, NY", "New York", ("Austin, TX", "Austin"), False),
        ("120/100", "10", ("120/80", "80"), True),
        ("120/100 mmHg", "100", ("120/80", "80"), False),
        ("Salix × fragilis", "Salix", ("Quercus robur", "Quercus"), False),
        ("Salix × fragilis", "× fragilis", ("Quercus robur", "robur"), False),
        ("<bob@x.org>", "x.org", ("ada@y.org", "y.org"), False),
        ("10/28/2017", "2017", ("2019-04-05", "2019"), False),  # the year of a date is one at whatever sign
        ("(555) 123-4567", "555", ("555-123-4567", "555"), False),
    ],
)
def test_a_part_ends_where_shown_ones_do(cells: str, made: str, shown: tuple[str, str], *, cut: bool) -> None:
    """At a comma, at the end of the cell; an end that cuts no word or number is none of another kind."""
    found = cut_elsewhere([made], {"of": [cells]}, [({"of": shown[0]}, {"part": shown[1]})], "part")
    assert (found is not None) is cut


SPLIT = '''"""Places hold a city and a state."""
CONTRACT = {"adds": ["city", "state"]}
def split_places(df):
    """Part them."""
    parts = df["place"].fillna("").str.extract(r"PATTERN")
    return df.assign(city=parts[0].astype(object), state=parts[1].astype(object))
'''


@pytest.mark.parametrize(
    ("pattern", "held"), [(r"^(.+), ([A-Z]{2})$", False), (r"^([\w-]+).*, ([A-Z]{2})$", True)], ids=["whole", "cut"]
)
def test_a_city_that_is_cut_is_held(gate: Verifier, pattern: str, *, held: bool) -> None:
    table = pa.table({"order": [f"A-{n}" for n in range(48)], "place": PLACES * 3})
    given = {"order": "A-1", "place": "Austin, TX"}
    example = Example(input=given, output={**given, "city": "Austin", "state": "TX"})
    source = SPLIT.replace("PATTERN", pattern)
    verdict = gate.verify(VerifyRequest(source, Sample(table.slice(0, 32), table.slice(32)), examples=(example,)))
    assert verdict.verdict == (Outcome.HOLD if held else Outcome.PASS), (verdict.failures, verdict.concerns)


def test_a_number_of_two_figures_is_no_shorter_code() -> None:
    """`0` alone is a number, and no code that is filled with zeros."""
    assert ShownCodes(["3", "0", "2"]).first_other(["10"]) is None
    assert ShownCodes(["03", "00", "02"]).first_other(["110"]) is not None


def test_a_title_in_front_is_no_part_of_the_name() -> None:
    """The first name begins behind it, as it begins a cell of the examples."""
    shown = [({"who": "Mary Smith"}, {"first": "Mary"}), ({"who": "Bob Jones"}, {"first": "Bob"})]
    assert cut_elsewhere(["Alan"], {"who": ["Mr. Alan Ford"]}, shown, "first") is None
    assert cut_elsewhere(["Alan"], {"who": ["Lord/Alan Ford"]}, shown, "first") == (0, "who")


def test_a_name_does_not_end_with_its_particle() -> None:
    """`Eva van` is cut out of `Eva van Dyk`, and `van Dyk` is not."""
    assert otherwise_than_in_row("Eva van", ["Eva van Dyk"]) == {PARTED}
    assert otherwise_than_in_row("van Dyk", ["Eva van Dyk"]) == set()
