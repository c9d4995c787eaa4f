"""Words and codes that are known to say the same: `Germany` and `DE`, `third` and `3`. Called by equivalence.py.

A kind lists its things, each with its spellings, the shortest code first. What a word stands for depends on the column:
`May` is a month only where the other words are months, too. Sources: ISO 3166, ISO 639, ISO 4217, CSS.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from orchestrator.gate.information.null_tokens import says_nothing
from orchestrator.gate.information.value_kinds.iso_codes import COUNTRIES, LANGUAGES

PLAIN = 4  # letters of a word that is no code
CODE = 3  # letters of the codes of countries and languages
MOSTLY = 0.7  # of a column's different words that are of a kind, for it to be a column of the kind
_COUNTED = frozenset({"number", "ordinal", "month", "stars", "floor"})  # kinds whose numbers are no codes
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?")
_PLACE = re.compile(r"(\d{1,4})(?:st|nd|rd|th)?")  # of an ordinal
_SIZE = re.compile(r"(?:[2-5]x|x{2,5})[sl]", re.IGNORECASE)
_MADE_IN = re.compile(r"(?:made|produced|grown|manufactured) in |(?:product|produce) of ")
_KINDS = {
    "country": COUNTRIES,
    "state": """
        al|alabama; ak|alaska; az|arizona|ariz; ar|arkansas; ca|california|calif; co|colorado|colo;
        ct|connecticut|conn; de|delaware; fl|florida|fla; ga|georgia; hi|hawaii; id|idaho; il|illinois; in|indiana;
        ia|iowa; ks|kansas; ky|kentucky; la|louisiana; me|maine; md|maryland; ma|massachusetts|mass; mi|michigan|mich;
        mn|minnesota|minn; ms|mississippi|miss; mo|missouri; mt|montana; ne|nebraska; nv|nevada; nh|new hampshire|n.h;
        nj|new jersey|n.j; nm|new mexico|n.m; ny|new york|n.y; nc|north carolina|n.c; nd|north dakota|n.d; oh|ohio;
        ok|oklahoma|okla; or|oregon; pa|pennsylvania|penn|penna; ri|rhode island|r.i; sc|south carolina|s.c;
        sd|south dakota|s.d; tn|tennessee|tenn; tx|texas; ut|utah; vt|vermont; va|virginia; wa|washington|wash;
        wv|west virginia|w.va|w. va; wi|wisconsin|wis|wisc; wy|wyoming;
        dc|district of columbia|washington dc|washington, dc|washington d.c|washington, d.c|d.c; pr|puerto rico""",
    "province": """
        ab|alberta; bc|british columbia; mb|manitoba; nb|new brunswick; ns|nova scotia; "on"|on|ontario;
        nl|newfoundland and labrador|newfoundland; pe|prince edward island|pei; qc|quebec|québec; sk|saskatchewan;
        nt|northwest territories; nu|nunavut; yt|yukon""",
    "language": LANGUAGES,
    "currency": """
        usd|$|us$|us dollar|us dollars|dollar|dollars|united states dollar|american dollar; eur|€|euro|euros;
        gbp|£|pound|pounds|pound sterling|pounds sterling|sterling|british pound; jpy|¥|yen|円|japanese yen;
        chf|fr.|sfr|swiss franc|swiss francs|franken|schweizer franken; cny|¥|rmb|yuan|元|人民币|renminbi;
        inr|₹|rs|rs.|rupee|rupees; aud|a$|au$|australian dollar|australian dollars; cad|c$|ca$|canadian dollar|canadian
        dollars; sek|swedish krona; nok|norwegian krone; dkk|danish krone; pln|zł|zloty|złoty; czk|kč|czech koruna;
        huf|ft|forint; rub|₽|rouble|ruble; brl|r$|real|brazilian real; mxn|mexican peso; krw|₩|won|원; try|₺|tl|turkish
        lira|lira; zar|rand; nzd|new zealand dollar; sgd|s$|singapore dollar; hkd|hk$|hong kong dollar; ils|₪|shekel;
        thb|฿|baht; btc|₿|bitcoin""",
    "month": """
        1|01|jan|january|januar|janvier|janv|enero|ene|jänner|jän|gennaio|gen|janeiro;
        2|02|feb|february|februar|février|févr|febrero|febbraio|fevereiro|fev;
        3|03|mar|march|märz|maerz|mär|mrz|mars|marzo|março;
        4|04|apr|april|avril|avr|abril|abr|aprile; 5|05|may|mai|mayo|maggio|mag|maio;
        6|06|jun|june|juni|juin|junio|giugno|giu|junho; 7|07|jul|july|juli|juillet|juil|julio|luglio|lug|julho;
        8|08|aug|august|août|agosto|ago; 9|09|sep|sept|september|septembre|septiembre|setiembre|set|settembre|setembro;
        10|oct|okt|october|oktober|octobre|octubre|ottobre|ott|outubro|out; 11|nov|november|novembre|noviembre|novembro;
        12|dec|dez|dic|december|dezember|décembre|déc|diciembre|dicembre|dezembro""",
    "season": """
        sp|spr|spring|frühling|frühjahr; su|sum|summer|sommer; fa|aut|autumn|fall|herbst; wi|win|winter""",
    "weekday": """
        1|mon|monday|mo|montag|lundi|lunes; 2|tue|tues|tuesday|di|dienstag|mardi|martes;
        3|wed|wednesday|mi|mittwoch|mercredi|miércoles; 4|thu|thur|thurs|thursday|do|donnerstag|jeudi|jueves;
        5|fri|friday|fr|freitag|vendredi|viernes; 6|sat|saturday|sa|samstag|sonnabend|samedi|sábado;
        7|sun|sunday|so|sonntag|dimanche|domingo""",
    "number": """
        0|zero|null|zéro|cero; 1|one|ein|eins|eine|un|une|uno; 2|two|zwei|deux|dos|zwo|pair|a pair|a couple;
        3|three|drei|trois|tres; 4|four|vier|quatre|cuatro; 5|five|fünf|cinq|cinco;
        6|six|sechs|seis|half a dozen|half dozen; 7|seven|sieben|sept|siete;
        8|eight|acht|huit|ocho; 9|nine|neun|neuf|nueve; 10|ten|zehn|dix|diez; 11|eleven|elf|onze|once;
        12|twelve|zwölf|douze|doce|dozen|a dozen|dutzend; 13|thirteen|dreizehn|treize; 14|fourteen|vierzehn;
        15|fifteen|fünfzehn; 16|sixteen|sechzehn; 17|seventeen|siebzehn; 18|eighteen|achtzehn; 19|nineteen|neunzehn;
        20|twenty|zwanzig|vingt; 30|thirty|dreißig|trente; 40|forty|vierzig; 50|fifty|fünfzig; 60|sixty|sechzig;
        70|seventy|siebzig; 80|eighty|achtzig; 90|ninety|neunzig; 100|hundred|one hundred|a hundred|hundert|cent;
        1000|thousand|tausend|mille""",
    "ordinal": """
        1|first|1st|erste|erster|premier; 2|second|2nd|zweite|zweiter|deuxième; 3|third|3rd|dritte|dritter;
        4|fourth|4th|vierte; 5|fifth|5th|fünfte; 6|sixth|6th|sechste; 7|seventh|7th|siebte; 8|eighth|8th|achte;
        9|ninth|9th|neunte; 10|tenth|10th|zehnte; 11|eleventh|11th; 12|twelfth|12th; 13|thirteenth; 14|fourteenth;
        15|fifteenth; 16|sixteenth; 17|seventeenth; 18|eighteenth; 19|nineteenth; 20|twentieth; 21|twenty-first""",
    "gender": """
        m|male|man|boy|mann|herr|männlich|homme|masculin|monsieur|mr|mr.|masculine|masculino|hombre|señor|남|남성|남자|पुरुष|1;
        f|female|fem|woman|girl|frau|weiblich|w|femme|féminin|feminine|madame|mrs|ms|ms.|mrs.|miss|
        femenino|feminino|mujer|señora|여|여성|여자|महिला|2;
        d|divers|diverse|x|other|non-binary|nonbinary|nb|o|3; u|unknown|9|0|n/a""",
    "salutation": """
        mr|mister|herr|hr|monsieur|señor|signor; mrs|frau|fr|madame|mme|señora|signora; ms|frau|fr; miss|fräulein|mlle|
        mademoiselle|señorita; dr|doctor|doktor; prof|professor; mx""",
    "boolean": """
        true|1|yes|y|t|on|ja|j|oui|si|sí|s|sim|да|예|네|有|あり|wahr|vrai|✓|✔|checked|enabled|
        yea|aye|yep|yeah|accepted|agreed|granted|approved|confirmed|opted in|opt-in|subscribed;
        false|0|no|n|f|off|nein|non|não|nao|нет|아니오|아니요|無|なし|falsch|faux|✗|unchecked|disabled|
        nay|nope|declined|refused|denied|rejected|disagreed|opted out|opt-out|unsubscribed""",
    "vote": """
        yea|yes|aye|for|in favour|in favor; nay|no|against; abstain|abstained|abstention|present; not
        voting|nv|absent""",
    "relative": """
        mother|mum|mom|mummy|mama; father|dad|daddy|papa; grandmother|grandma|granny|gran; grandfather|grandpa|grandad;
        sister|sis; brother|bro; aunt|auntie|aunty; guardian|legal guardian""",
    "size": """
        xxs|2xs|xx-small; xs|extra small|x-small|extra-small; s|small|sm|klein; m|medium|med|mittel;
        l|large|lg|groß; xl|extra large|x-large|extra-large; xxl|2xl|xx-large; xxxl|3xl|xxx-large;
        one size|os|onesize|universal""",
    "side": """
        l|left|li|links|gauche|izquierda|lh; r|right|re|rechts|droite|derecha|rh;
        b|both|beidseits|bds|bilateral|both sides""",
    "compass": """
        n|north|nord|norden|northern|0; ne|northeast|north-east|north east|nordost|45; e|east|ost|osten|eastern|90;
        se|southeast|south-east|south east|südost|135; s|south|süd|süden|southern|180; sw|southwest|south-west|south
        west|südwest|225; w|west|westen|western|270; nw|northwest|north-west|north west|nordwest|315;
        nne|north-northeast|north-north-east; ene|east-northeast|east-north-east; ese|east-southeast|east-south-east;
        sse|south-southeast|south-south-east; ssw|south-southwest|south-south-west; wsw|west-southwest|west-south-west;
        nnw|north-northwest|north-north-west; wnw|west-northwest|west-north-west""",
    "agreement": """
        1|strongly disagree|disagree strongly; 2|disagree|somewhat disagree; 3|neutral|neither agree nor
        disagree|neither; 4|agree|somewhat agree; 5|strongly agree|agree strongly""",
    "satisfaction": """
        1|very dissatisfied|very unsatisfied; 2|dissatisfied|unsatisfied; 3|neutral|neither; 4|satisfied; 5|very
        satisfied""",
    "sentiment": "1|+1|positive|pos|positiv; 0|neutral|mixed; -1|negative|neg|negativ",
    "degree": """
        associate|aa|as|a.a.|associate degree|associate's|associate's degree; bachelor|bsc|b.sc|bs|b.s|ba|b.a|beng|bba|
        bachelors|bachelor's|bachelor of science|bachelor of arts|bachelor's degree|bachelor degree; master|msc|m.sc|ms|
        m.s|ma|m.a|meng|mba|masters|master's|master of science|master of arts|master's degree|master degree; doctorate|
        phd|ph.d|dphil|doctor|doctoral|doctor of philosophy|doctorate degree|doctoral degree""",
    "seniority": "junior|jr; senior|sr; principal; lead; intern|trainee",
    "availability": """
        in stock|available|on stock|instock|in-stock; out of stock|sold out|unavailable|out-of-stock|oos|not available;
        preorder|pre-order|pre order; backorder|back-order|back order|on backorder; discontinued""",
    "floor": "-1|basement|cellar; 0|ground|ground floor|gf|erdgeschoss",
    "order": """
        shipped|sent|dispatched|versandt|versand|verschickt|expédié|enviado; pending|waiting|wartend|ausstehend|en
        attente|pendiente; delivered|geliefert|zugestellt|livré|entregado;
        cancelled|canceled|storniert|annulé|cancelado;
        returned|retourniert; closed|geschlossen|abgeschlossen|fermé|cerrado; open|offen|ouvert|abierto;
        paid|bezahlt|payé|pagado; unpaid|unbezahlt""",
    "street": """
        street|st; avenue|ave|av; boulevard|blvd; road|rd; drive|dr; lane|ln; court|ct; square|sq; place|pl;
        highway|hwy; parkway|pkwy; terrace|ter; circle|cir""",
    "price": "free|free of charge|no charge|gratis|kostenlos|kostenfrei|gratuit|gratuito",
    "extension": "x|ext|extn|extension",
    "company": "ltd|limited; inc|incorporated; corp|corporation; unlimited; plc|public limited company",
    "frequency": "1|never; 2|rarely|seldom; 3|sometimes|occasionally; 4|often|usually; 5|always",
    "period": """
        daily|every day|per day; weekly|wkly|every week|per week|once a week; fortnightly|biweekly|bi-weekly|every 2
        weeks|every two weeks|every other week; semimonthly|semi-monthly|twice a month|twice per month|twice monthly;
        monthly|mo|mth|mthly|month|every month|per month|monatlich|mensuel;
        bimonthly|bi-monthly; every 2 months|every two months; quarterly|qtr|qtrly|quarter|every quarter|per quarter|
        every 3 months|vierteljährlich|trimestriel; semi-annually|semiannually|semi-annual|semiannual|half-yearly|
        halfyearly|biannual|biannually|twice a year|every 6 months|halbjährlich; annually|annual|yearly|yr|year|per
        year|every year|per annum|p.a|every 12 months|jährlich|annuel; once|one-time|one time|one-off|einmalig""",
    "stars": """
        1|one star|1 star|★|★☆☆☆☆; 2|two stars|★★|★★☆☆☆; 3|three stars|★★★|★★★☆☆; 4|four stars|★★★★|★★★★☆; 5|five
        stars|★★★★★""",
    "marital": """
        s|single|ledig|unmarried|never married; m|married|verheiratet; d|divorced|geschieden; w|widowed|verwitwet;
        p|partnered|civil partnership|partnership; x|separated|getrennt""",
    "school": """
        4|4.0|a; 3|3.0|b; 2|2.0|c; 1|1.0|d; 0|0.0|f; 3.7|a-; 3.3|b+; 2.7|b-; 2.3|c+; 1.7|c-; 1.3|d+; 0.7|d-; 4.3|a+""",
    "result": "pass|passed|ok|okay|success|succeeded|successful; fail|failed|failure|error|ko",
    "level": "trace; debug|dbg; info|information|inf; warning|warn|wrn; error|err|eror; critical|crit|fatal",
    "colour": """
        #ffffff|white|weiß; #000000|black|schwarz|blk; #ff0000|red|rot; #008000|green|grün; #0000ff|blue|blau;
        #ffff00|yellow|gelb; #ffa500|orange; #800080|purple; #808080|gray|grey|grau; #a52a2a|brown|braun;
        #ffc0cb|pink; #00ffff|cyan|aqua; #ff00ff|magenta|fuchsia; #00ff00|lime; #000080|navy; #008080|teal;
        #800000|maroon; #808000|olive; #c0c0c0|silver; #ffd700|gold; #f5f5dc|beige; #4b0082|indigo; #ee82ee|violet""",
    "element": """
        h|hydrogen; he|helium; li|lithium; be|beryllium; b|boron; c|carbon; n|nitrogen; o|oxygen; f|fluorine; ne|neon;
        na|sodium; mg|magnesium; al|aluminium|aluminum; si|silicon; p|phosphorus; s|sulfur|sulphur; cl|chlorine;
        ar|argon; k|potassium; ca|calcium; ti|titanium; cr|chromium; mn|manganese; fe|iron; co|cobalt; ni|nickel;
        cu|copper; zn|zinc; as|arsenic; br|bromine; ag|silver; cd|cadmium; sn|tin; i|iodine; ba|barium; w|tungsten;
        pt|platinum; au|gold; hg|mercury; pb|lead; u|uranium""",
    "zone": """
        +00:00|utc|gmt|z|wet; +01:00|cet|bst|west; +02:00|cest|eet; +03:00|msk|eest; -05:00|est|cdt; -04:00|edt|ast;
        -06:00|cst|mdt; -07:00|mst|pdt; -08:00|pst; +05:30|ist; +09:00|jst|kst; +10:00|aest; -03:00|brt;
        +08:00|sgt|hkt""",
    "file type": """
        .jpg|image/jpeg|jpg|jpeg|.jpeg; .png|image/png|png; .gif|image/gif|gif; .pdf|application/pdf|pdf;
        .csv|text/csv|csv; .txt|text/plain|txt; .html|text/html|html|htm; .json|application/json|json;
        .xml|application/xml|text/xml|xml; .zip|application/zip|zip; .svg|image/svg+xml|svg; .webp|image/webp|webp""",
}  # fmt: skip

# Words that say what the rest is, and may be left out.
DECORATION = frozenset(
    """dr prof professor mr mrs ms miss sir dipl ing med phd ph d msc bsc m sc b a mba md esq hon rev herr frau
    inc ltd llc gmbh ag co corp kg ohg plc sa bv pty limited company corporation the of and no nr num number id vol
    volume issue pp pages page p tel phone fax email mail mailto http https www com org sku art qty isbn issn doi
    version v usd eur gbp jpy inr dollar dollars euro euros rs uhr am pm star stars out pcs pieces piece pc stk st nd
    rd th hrs hours h yrs years y mo months abstract note c ca circa abt approx about""".split()  # noqa: SIM905 - a list of words
)


@cache
def _spellings(kind: str) -> dict[str, frozenset[int]]:
    """Every spelling of a kind with the numbers of the things that it can stand for."""
    found: dict[str, set[int]] = {}
    for number, thing in enumerate(_KINDS[kind].split(";")):
        for spelling in thing.split("|"):
            found.setdefault(" ".join(spelling.split()).strip('"'), set()).add(number)
    return {spelling: frozenset(things) for spelling, things in found.items()}


def things(kind: str, text: str) -> frozenset[int]:
    """What a text can stand for among the things of a kind; empty when it is none of them."""
    folded = " ".join(text.casefold().split())
    known = _spellings(kind)
    if kind == "ordinal" and (place := _PLACE.fullmatch(folded)) and int(place[1]):
        return frozenset({int(place[1]) - 1})  # as they are listed: the first is number 0
    return known.get(folded) or known.get(_tidied(folded)) or _beginning(kind, folded)


def _beginning(kind: str, folded: str) -> frozenset[int]:
    """The thing that a word with a full stop is the beginning of, where it is that of one thing only: `mass.`"""
    start = folded[:-1]
    if not folded.endswith(".") or len(start) < CODE or not start.isalpha():
        return frozenset()
    found = [things for spelling, things in _spellings(kind).items() if spelling.startswith(start)]
    return found[0] if len(set().union(*found)) == 1 else frozenset()


def currency(text: Any) -> frozenset[int]:
    """Which currencies a text can name; empty when it is no text, or names none."""
    return things("currency", text) if isinstance(text, str) else frozenset()


def _tidied(folded: str) -> str:
    return _MADE_IN.sub("", folded).replace("_", " ").strip(".!")


def kinds_of(words: Iterable[str]) -> list[str]:
    """The kinds that most of a column's different words are of. Numbers, `unknown` and `other` can be of any."""
    different = {word for word in (" ".join(word.casefold().split()) for word in words) if not says_nothing(word)}
    different.discard("other")
    alone = {word: _tidied(word) for word in different if not any(map(str.isdigit, word))}
    numbered = {word: _tidied(word) for word in different if word not in alone and not _NUMBER.fullmatch(word)}
    return [kind for kind in _KINDS if _mostly(kind, alone, numbered)]


def _mostly(kind: str, alone: dict[str, str], numbered: dict[str, str]) -> bool:
    """Whether most words that stand alone are of the kind, or most of all, and any at all. Each with its tidy form."""
    spellings = _spellings(kind)
    known = sum(word in spellings or tidied in spellings for word, tidied in alone.items())
    among = (
        sum(bool(things(kind, word)) for word in numbered)
        if kind == "ordinal"
        else sum(word in spellings or tidied in spellings for word, tidied in numbered.items())
    )
    if known < MOSTLY * len(alone) and known + among < MOSTLY * (len(alone) + len(numbered)):
        return False
    return known > 0 or among > 0


@cache
def contradict(one: str, other: str) -> bool:
    """Whether two words are of one kind and stand for different things of it, and are the same thing of no kind."""
    if len(one) <= CODE and len(other) <= CODE and (one.startswith(other) or other.startswith(one)):
        return False  # com is a spelling of co as often as it is a country
    ours, theirs = (  # two or three letters in a text are seldom a language: AB603677C, [ID]
        {(kind, thing) for kind, thing in _meanings(word) if kind != "language" or len(word) > CODE}
        for word in (one, other)
    )
    return not ours & theirs and not {kind for kind, _ in ours}.isdisjoint(kind for kind, _ in theirs)


def same_thing(one: str, other: str) -> bool:
    """Whether two words are known to stand for one thing of some kind."""
    return not _meanings(one).isdisjoint(_meanings(other))


def surely_the_same(word: str, other: str) -> bool:
    """Whether a word that can stand for one thing only, in any column, becomes another spelling of it: third and 3.

    A code that is a number, as 3 for `other`, is sure only in a column of such words.
    """
    plain = len(word.strip()) >= PLAIN or _SIZE.fullmatch(word.strip()) is not None
    meanings = _meanings(word) if plain and not says_nothing(word) else frozenset[tuple[str, int]]()
    coded = _NUMBER.fullmatch(other.strip()) is not None and not {kind for kind, _ in meanings} <= _COUNTED
    return len(meanings) == 1 and meanings <= _meanings(other) and not coded


def is_known(word: str) -> bool:
    """Whether the word is known to stand for anything."""
    return bool(_meanings(word))


@cache
def _meanings(word: str) -> frozenset[tuple[str, int]]:
    """All that a word can stand for, each with its kind: words are compared in pairs, and most mean nothing known."""
    folded = " ".join(word.casefold().split())
    # A beginning, or an ordinal in figures, can be of any kind; what is no spelling at all is of none.
    can_be = folded.endswith(".") or _PLACE.fullmatch(folded) or {folded, _tidied(folded)} & _all_spellings()
    return frozenset((kind, thing) for kind in _KINDS for thing in things(kind, word)) if can_be else frozenset()


@cache
def _all_spellings() -> frozenset[str]:
    return frozenset(spelling for kind in _KINDS for spelling in _spellings(kind))
