"""Months in English, and as other languages write them beside a day, with their usual short forms.

The rule of dates and the gate read them. Of a word that is two months (`listopada`) only the more frequent is known.
"""

from collections.abc import Set as AbstractSet

ENGLISH_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_IN_FULL = (
    "januar februar märz april mai juni juli august september oktober november dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    "ledna února března dubna května června července srpna září října listopadu prosince",
    "januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra",
    "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    "januar februar marts april maj juni juli august september oktober november december",
    "januari februari mars april maj juni juli augusti september oktober november december",
    "januar februar mars april mai juni juli august september oktober november desember",
    (
        "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta"
        " marraskuuta joulukuuta"
    ),
    "január február március április május június július augusztus szeptember október november december",
    "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
    (
        "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου"
        " δεκεμβρίου"
    ),
)
_SHORT = (
    "jan feb mrz apr mai jun jul aug sep okt nov dez",
    "janv févr mars avr mai juin juil août sept oct nov déc",
    "ene feb mar abr may jun jul ago sep oct nov dic",
    "gen feb mar apr mag giu lug ago set ott nov dic",
    "jan feb mrt apr mei jun jul aug sep okt nov dec",
    "jan fev mar abr mai jun jul ago set out nov dez",
    "sty lut mar kwi maj cze lip sie wrz paź lis gru",
    "oca şub mar nis may haz tem ağu eyl eki kas ara",
    "ιαν φεβ μαρ απρ μαΐ ιουν ιουλ αυγ σεπ οκτ νοε δεκ",
)
FOREIGN_MONTHS = {
    name: str(number) for names in (*_IN_FULL, *_SHORT) for number, name in enumerate(names.split(), 1)
} | {"aralik": "12", "mayis": "5", "kasim": "11", "setiembre": "9", "jänner": "1", "mär": "3"}  # as programs fold I
"""The number of each month by its name, folded."""


def months_like(words: AbstractSet[str]) -> dict[str, str]:
    """The months among the words, and the others of the fewest languages that have all of them."""
    left = {word for word in words if word in FOREIGN_MONTHS}
    found = {word: FOREIGN_MONTHS[word] for word in sorted(left)}
    lists = [names.split() for names in (*_IN_FULL, *_SHORT)]
    while left & {name for names in lists for name in names}:
        names = max(lists, key=lambda names: len(left.intersection(names)))
        found |= {name: FOREIGN_MONTHS[name] for name in names}
        left = left.difference(names)
    return found
