"""Currencies get the code of the ISO where most cells have it: "€" and "Euro" → "EUR", "US$" → "USD".

Left alone: columns of signs, and "$" alone, which is the sign of several currencies.
"""

from orchestrator.core.conventions import ColumnConvention
from orchestrator.propose.builtin.repair_rule import RepairRule, RuleFinding
from orchestrator.propose.builtin.rules.forms.word_table import _known_word
from orchestrator.propose.builtin.working_rows import TextColumn, WorkingRows

_USUAL, _NEARLY_ALL = 0.25, 0.95
_DIFFERENT = 2  # codes; one alone says that these are currencies where most cells are it
_MOST = 0.5
_CODES = {
    "EUR": "€ euro euros", "USD": "us$ usd$ us-dollar dollar_us", "GBP": "£ pound_sterling gbp£", "JPY": "yen jp¥",
    "CHF": "sfr sfr. fr. swiss_franc swiss_francs", "INR": "₹ indian_rupee", "CAD": "ca$ c$ cad$", "AUD": "au$ a$ aud$",
    "CNY": "rmb yuan cn¥", "KRW": "₩", "RUB": "₽", "TRY": "₺", "PLN": "zł zloty", "CZK": "kč", "BRL": "r$",
    "MXN": "mx$", "NZD": "nz$", "HKD": "hk$", "SGD": "s$", "SEK": "", "NOK": "", "DKK": "", "HUF": "", "ZAR": "",
}  # fmt: skip


def _look(column: TextColumn, _convention: ColumnConvention, _table: WorkingRows) -> RuleFinding | None:
    codes = {code.casefold(): code for code in _CODES}
    codes |= {sign.replace("_", " "): code for code, signs in _CODES.items() for sign in signs.split()}
    usual = [text for text in column.counts if text in _CODES]
    rows = sum(map(column.counts.__getitem__, usual))
    known = column.rows(lambda text: text.casefold() in codes or text == "$")
    least = _USUAL if len(usual) >= _DIFFERENT else _MOST
    if not usual or rows < least * column.filled or known < _NEARLY_ALL * column.filled:
        return None
    return RuleFinding({"words": codes}) if any(_known_word(text, codes) != text for text in column.counts) else None


RULE = RepairRule(
    name="currency_codes_in_{columns}",
    issue="Some currencies in {columns} are written as signs or words, most as codes.",
    doc="Write currencies as three letters.",
    fix=_known_word,
    look=_look,
    examples=6,
)
