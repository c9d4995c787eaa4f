"""US states in a column of two-letter codes: "Rhode Island", "R.I." and "ri" become "RI".

Territories (PR) stand beside states, and are none that show a column to be of states: AE is a country elsewhere.

Left alone: columns in which state names, or other texts, are more than a few. In a column that is named after states,
names may be most.
"""

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.rules.number_words import words_of
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_STATES = {
    "alabama": "AL", "alaska": "AK", "arizona": "AZ", "arkansas": "AR", "california": "CA", "colorado": "CO",
    "connecticut": "CT", "delaware": "DE", "district of columbia": "DC", "florida": "FL", "georgia": "GA",
    "hawaii": "HI", "idaho": "ID", "illinois": "IL", "indiana": "IN", "iowa": "IA", "kansas": "KS", "kentucky": "KY",
    "louisiana": "LA", "maine": "ME", "maryland": "MD", "massachusetts": "MA", "michigan": "MI", "minnesota": "MN",
    "mississippi": "MS", "missouri": "MO", "montana": "MT", "nebraska": "NE", "nevada": "NV", "new hampshire": "NH",
    "new jersey": "NJ", "new mexico": "NM", "new york": "NY", "north carolina": "NC", "north dakota": "ND",
    "ohio": "OH", "oklahoma": "OK", "oregon": "OR", "pennsylvania": "PA", "rhode island": "RI",
    "south carolina": "SC", "south dakota": "SD", "tennessee": "TN", "texas": "TX", "utah": "UT", "vermont": "VT",
    "virginia": "VA", "washington": "WA", "west virginia": "WV", "wisconsin": "WI", "wyoming": "WY",
}  # fmt: skip
_TERRITORIES = {  # and what soldiers abroad write for a state; some are codes of countries, too
    "puerto rico": "PR", "guam": "GU", "u.s. virgin islands": "VI", "us virgin islands": "VI", "virgin islands": "VI",
    "american samoa": "AS", "northern mariana islands": "MP", "armed forces americas": "AA",
    "armed forces europe": "AE", "armed forces pacific": "AP",
}  # fmt: skip
_SHORT = {  # as newspapers write them, with a full stop
    "ala.": "AL", "ariz.": "AZ", "ark.": "AR", "calif.": "CA", "cal.": "CA", "colo.": "CO", "conn.": "CT", "del.": "DE",
    "fla.": "FL", "ill.": "IL", "ind.": "IN", "kan.": "KS", "kans.": "KS", "mass.": "MA", "mich.": "MI", "minn.": "MN",
    "miss.": "MS", "mont.": "MT", "neb.": "NE", "nebr.": "NE", "nev.": "NV", "okla.": "OK", "ore.": "OR", "penn.": "PA",
    "penna.": "PA", "tenn.": "TN", "tex.": "TX", "wash.": "WA", "w.va.": "WV", "w. va.": "WV", "wis.": "WI",
    "wisc.": "WI", "wyo.": "WY",
}  # fmt: skip
_WITHOUT_STOP = {word.rstrip("."): code for word, code in _SHORT.items() if word.count(".") == 1}
_NAMES = frozenset({"state", "states", "province", "st"})  # of columns
_SOME = 0.3  # of the cells of such a column are codes
_WORDS = _STATES | _TERRITORIES | _SHORT
_CODES = {*_STATES.values(), *_TERRITORIES.values()}
_WORDS |= {form.lower(): code for code in _CODES for form in (f"{code}.", f"{code[0]}.{code[1]}.")}


def _state_code(value: str, states: dict[str, str]) -> str:
    """The code of a state that is written out, abbreviated or in small letters; any other text as it is."""
    code = value.upper()
    return code if code in states.values() else states.get(value.casefold(), value)


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    states_alone = set(_STATES.values())
    coded = column.rows(lambda text: text.upper() in _CODES)
    of_states = column.rows(lambda text: text.upper() in states_alone)
    named_so = not words_of(column.name).isdisjoint(_NAMES)
    states = _WORDS | _WITHOUT_STOP if named_so else _WORDS
    named = column.rows(lambda text: text.casefold() in states)
    upper = column.rows(lambda text: text in _CODES)
    coded_least, upper_least = (_SOME, 0.5) if named_so else (0.8, 0.7)
    enough = of_states >= coded_least * column.filled and upper > upper_least * coded
    holds_states = enough and coded + named >= 0.95 * column.filled
    return RuleFinding({"states": states}) if holds_states and named + coded > upper else None


RULE = RepairRule(
    name="state_codes_in_{columns}",
    issue="Some states in {columns} are written out, abbreviated or in small letters, most are two-letter codes.",
    doc="Write US states as two capital letters.",
    fix=_state_code,
    look=_look,
)
