"""Countries get the form of most cells: "DE" and "GER" → "Germany" beside "Germany", or "Germany" → "DE" beside "FR".

Left alone: columns of which some cells are no country, or without a clear form, or of one or two countries of which one
is never written out, and countries that the column never writes out where names are its form.
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
    "AE ARE united_arab_emirates|UAE|U.A.E.", "AF AFG afghanistan", "AL ALB albania", "AM ARM armenia",
    "AR ARG argentina", "AT AUT austria|österreich", "AU AUS australia", "AZ AZE azerbaijan",
    "BA BIH bosnia_and_herzegovina|bosnia_&_herzegovina", "BD BGD bangladesh", "BE BEL belgium|belgique|belgië|belgien",
    "BG BGR bulgaria", "BO BOL bolivia", "BR BRA brazil|brasil", "BY BLR belarus", "CA CAN canada",
    "CH CHE switzerland|schweiz|suisse|svizzera", "CI CIV côte_d'ivoire|ivory_coast", "CL CHL chile", "CM CMR cameroon",
    "CN CHN china", "CO COL colombia", "CR CRI costa_rica", "CU CUB cuba", "CY CYP cyprus",
    "CZ CZE czechia|czech_republic|česko", "DE DEU germany|GER|deutschland|allemagne",
    "DK DNK denmark|danmark|dänemark", "DO DOM dominican_republic", "DZ DZA algeria", "EC ECU ecuador",
    "EE EST estonia", "EG EGY egypt", "ES ESP spain|españa|spanien|espagne", "ET ETH ethiopia",
    "FI FIN finland|suomi|finnland", "FR FRA france|frankreich",
    "GB GBR united_kingdom|UK|great_britain|U.K.|vereinigtes_königreich", "GH GHA ghana", "GR GRC greece",
    "GT GTM guatemala", "HK HKG hong_kong", "HN HND honduras", "HR HRV croatia|hrvatska", "HU HUN hungary|magyarország",
    "ID IDN indonesia", "IE IRL ireland", "IL ISR israel", "IN IND india", "IQ IRQ iraq", "IR IRN iran",
    "IS ISL iceland", "IT ITA italy|italia|italien|italie", "JM JAM jamaica", "JO JOR jordan", "JP JPN japan",
    "KE KEN kenya", "KH KHM cambodia", "KR KOR south_korea", "KW KWT kuwait", "KZ KAZ kazakhstan", "LB LBN lebanon",
    "LK LKA sri_lanka", "LT LTU lithuania", "LU LUX luxembourg", "LV LVA latvia", "LY LBY libya", "MA MAR morocco",
    "MD MDA moldova", "ME MNE montenegro", "MK MKD north_macedonia", "MM MMR myanmar", "MN MNG mongolia",
    "MT MLT malta", "MX MEX mexico|méxico", "MY MYS malaysia", "NG NGA nigeria", "NI NIC nicaragua",
    "NL NLD netherlands|NED|the_netherlands|nederland|niederlande|pays-bas", "NO NOR norway|norge|norwegen",
    "NP NPL nepal", "NZ NZL new_zealand", "OM OMN oman", "PA PAN panama", "PE PER peru", "PH PHL philippines",
    "PK PAK pakistan", "PL POL poland|polska|polen", "PT PRT portugal", "PY PRY paraguay", "QA QAT qatar",
    "RO ROU romania|românia", "RS SRB serbia", "RU RUS russia", "SA SAU saudi_arabia", "SE SWE sweden|sverige|schweden",
    "SG SGP singapore", "SI SVN slovenia|slovenija", "SK SVK slovakia|slovensko", "SN SEN senegal",
    "SV SLV el_salvador", "SY SYR syria", "TH THA thailand", "TN TUN tunisia", "TR TUR turkey|türkiye", "TW TWN taiwan",
    "TZ TZA tanzania", "UA UKR ukraine", "UG UGA uganda", "US USA united_states|united_states_of_america|U.S.|U.S.A.",
    "UY URY uruguay", "UZ UZB uzbekistan", "VE VEN venezuela", "VN VNM vietnam", "YE YEM yemen",
    "ZA ZAF south_africa|RSA", "ZM ZMB zambia", "ZW ZWE zimbabwe",
)  # fmt: skip


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    known = _spellings()
    named = {
        code
        for text in column.counts
        if (len(text) > 3 or text in _LIKE_NAMES) and (code := known.get(text.casefold()))
    }
    codes = {
        text: code
        for text in column.counts
        if (code := known.get(text.casefold()))
        and (_is_written_out(text) or text.upper() in column.counts or code in named)
    }
    countries = set(codes.values())
    if len(countries) < _DIFFERENT and countries != named:
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
    words = {spelt: _written(code, usual, own) for spelt, code in known.items()}
    words = {spelt: written for spelt, written in words.items() if written}
    few = len(own) < min(_DIFFERENT, len(countries))
    if few or all(_known_word(text, words) == text for text in column.counts):
        return None
    return RuleFinding({"words": words}, words={"example": next(iter(own.values()))})


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
