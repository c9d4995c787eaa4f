"""Countries get the form of most cells: "DE" and "GER" → "Germany" beside "Germany", or "Germany" → "DE" beside "FR".

Left alone: columns of which some cells are no country, or without a clear form, and countries that the column never
writes out where names are its form.
"""

from collections.abc import Mapping
from functools import cache

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.rules.forms.word_table import _known_word
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_USUAL, _NEARLY_ALL = 0.35, 0.95
_DIFFERENT = 3
_LIKE_NAMES = ("USA", "UK")
_COUNTRIES = (  # ISO 3166: two letters, three letters, names; then what people write as well
    "AR ARG argentina", "AT AUT austria|österreich", "AU AUS australia", "BE BEL belgium|belgique|belgië|belgien",
    "BG BGR bulgaria", "BR BRA brazil|brasil", "CA CAN canada", "CH CHE switzerland|schweiz|suisse|svizzera",
    "CL CHL chile", "CN CHN china", "CO COL colombia", "CY CYP cyprus", "CZ CZE czechia|czech_republic|česko",
    "DE DEU germany|GER|deutschland|allemagne", "DK DNK denmark|danmark|dänemark", "EE EST estonia", "EG EGY egypt",
    "ES ESP spain|españa|spanien|espagne", "FI FIN finland|suomi|finnland", "FR FRA france|frankreich",
    "GB GBR united_kingdom|UK|great_britain|U.K.|vereinigtes_königreich", "GR GRC greece", "HK HKG hong_kong",
    "HR HRV croatia|hrvatska", "HU HUN hungary|magyarország", "ID IDN indonesia", "IE IRL ireland", "IL ISR israel",
    "IN IND india", "IS ISL iceland", "IT ITA italy|italia|italien|italie", "JP JPN japan", "KE KEN kenya",
    "KR KOR south_korea", "LT LTU lithuania", "LU LUX luxembourg", "LV LVA latvia", "MA MAR morocco", "MT MLT malta",
    "MX MEX mexico|méxico", "MY MYS malaysia", "NG NGA nigeria",
    "NL NLD netherlands|NED|the_netherlands|nederland|niederlande|pays-bas", "NO NOR norway|norge|norwegen",
    "NZ NZL new_zealand", "PE PER peru", "PH PHL philippines", "PK PAK pakistan", "PL POL poland|polska|polen",
    "PT PRT portugal", "RO ROU romania|românia", "RS SRB serbia", "RU RUS russia", "SA SAU saudi_arabia",
    "SE SWE sweden|sverige|schweden", "SG SGP singapore", "SI SVN slovenia|slovenija", "SK SVK slovakia|slovensko",
    "TH THA thailand", "TR TUR turkey|türkiye", "UA UKR ukraine",
    "US USA united_states|united_states_of_america|U.S.|U.S.A.", "VN VNM vietnam", "ZA ZAF south_africa|RSA",
)  # fmt: skip


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    known = _spellings()
    codes = {
        text: code
        for text in column.counts
        if (_is_written_out(text) or text.upper() in column.counts) and (code := known.get(text.casefold()))
    }
    if len(set(codes.values())) < _DIFFERENT:
        return None
    forms: dict[int, dict[str, list[str]]] = {0: {}, 1: {}, 2: {}}
    for text, code in codes.items():
        is_code = text.isupper() and len(text) < 4
        if is_code:
            forms[len(text) - 2].setdefault(code, []).append(text)
        if not is_code or text in _LIKE_NAMES:
            forms[2].setdefault(code, []).append(text)
    rows = {form: sum(column.counts[t] for texts in found.values() for t in texts) for form, found in forms.items()}
    usual = max(rows, key=rows.__getitem__)
    all_rows = sum(map(column.counts.__getitem__, codes))
    if all_rows < _NEARLY_ALL * column.filled or rows[usual] < _USUAL * column.filled:
        return None
    own = {code: max(texts, key=lambda t: (_is_tidy(t), column.counts[t])) for code, texts in forms[usual].items()}
    countries = {spelt: _written(code, usual, own) for spelt, code in known.items()}
    countries = {spelt: written for spelt, written in countries.items() if written}
    if len(own) < _DIFFERENT or all(_known_word(text, countries) == text for text in column.counts):
        return None
    return RuleFinding({"words": countries}, words={"example": next(iter(own.values()))})


def _is_written_out(text: str) -> bool:
    """Not `de`, which is a language as often as a country, unless the column has `DE`."""
    return len(text) > 3 or text.isupper()


def _is_tidy(text: str) -> bool:
    """Not `germany`, `FRANCE` or `U.S.A.` where the column has it in another way, too."""
    return not text.islower() and "." not in text and not (text.isupper() and len(text) > 3)


@cache
def _spellings() -> Mapping[str, str]:
    """Each way to write a country, folded, and its code of two letters."""
    known: dict[str, str] = {}
    for line in _COUNTRIES:
        code, three, names = line.split()
        known |= {spelt.replace("_", " ").casefold(): code for spelt in (code, three, *names.split("|"))}
    return known


def _written(code: str, form: int, own: dict[str, str]) -> str:
    """How the column writes a country: its own text, or the code of the ISO where codes are its form."""
    if code in own or form == 2:
        return own.get(code, "")
    three = next(line.split()[1] for line in _COUNTRIES if line.startswith(code))
    return three if form else code


RULE = RepairRule(
    name="same_country_words_in_{columns}",
    issue="Some countries in {columns} are written in another form than most.",
    doc="Write countries like {example!r}.",
    fix=_known_word,
    look=_look,
    examples=6,
)
