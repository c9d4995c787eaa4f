"""Functions that people write to clean data pass the gate; each has another kind of job."""

from collections.abc import Callable

import pytest

from orchestrator.core.candidate import Example
from orchestrator.core.verdict import Verdict
from orchestrator.gate.feedback import feedback

GOOD = {
    "trims blanks, nulls left alone": '''
CONTRACT = {"modifies": ["city"], "examples": [{"input": {"city": " Rome "}, "output": {"city": "Rome"}}]}
def detect(df):
    return df["city"].notna() & (df["city"] != df["city"].str.strip())
def trim_city(df):
    """Strip blanks."""
    out = df.copy()
    out["city"] = out["city"].str.strip()
    return out
''',
    "collapses inner blanks": '''
import re
_BLANKS = re.compile(r"\\s+")
CONTRACT = {"modifies": ["note"]}
def collapse_spaces(df):
    """One blank between words."""
    out = df.copy()
    out["note"] = out["note"].map(lambda v: _BLANKS.sub(" ", v).strip() if isinstance(v, str) else v)
    return out
''',
    "lowers case of a category": '''
CONTRACT = {"modifies": ["status"]}
def lower_status(df):
    """Lower case."""
    return df.assign(status=df["status"].str.strip().str.lower())
''',
    "title-cases names": '''
CONTRACT = {"modifies": ["name"]}
def detect(df):
    return (df["name"] != df["name"].str.title()) & df["name"].notna()
def title_names(df):
    """Ada Lovelace."""
    out = df.copy()
    out["name"] = out["name"].str.title()
    return out
''',
    "dates to ISO": '''
import re
from datetime import datetime
CONTRACT = {"modifies": ["date"], "examples": [
    {"input": {"date": "03/04/2021"}, "output": {"date": "2021-03-04"}},
    {"input": {"date": "2021-03-04"}, "output": {"date": "2021-03-04"}}]}
_FORMATS = ("%m/%d/%Y", "%d %b %Y")
def _iso(value):
    if not isinstance(value, str):
        return value
    for form in _FORMATS:
        try:
            return datetime.strptime(value.strip(), form).date().isoformat()
        except ValueError:
            continue
    return value
def detect(df):
    return df["date"].map(lambda v: _iso(v) != v if isinstance(v, str) else False).astype(bool)
def iso_dates(df):
    """American and written dates to ISO 8601."""
    out = df.copy()
    out["date"] = out["date"].map(_iso)
    return out
''',
    "phones to digits": '''
CONTRACT = {"modifies": ["phone"]}
def phone_digits(df):
    """Digits only where there are ten of them."""
    out = df.copy()
    digits = out["phone"].str.replace(r"[^0-9]", "", regex=True)
    out["phone"] = digits.where(digits.str.len() == 10, out["phone"])
    return out
''',
    "phones to E.164": '''
import re
CONTRACT = {"modifies": ["phone"], "examples": [
    {"input": {"phone": "(555) 123-4567"}, "output": {"phone": "+15551234567"}}]}
def _e164(value):
    if not isinstance(value, str) or value.startswith("+"):
        return value
    digits = re.sub(r"\\D", "", value)
    return "+1" + digits if len(digits) == 10 and digits.isascii() else value
def phone_e164(df):
    """North American numbers to E.164."""
    out = df.copy()
    out["phone"] = [_e164(v) for v in out["phone"]]
    return out
''',
    "money to plain numbers": '''
CONTRACT = {"modifies": ["amount"], "examples": [
    {"input": {"amount": "$1,234.50"}, "output": {"amount": "1234.50"}},
    {"input": {"amount": "7.00 USD"}, "output": {"amount": "7.00"}}]}
def plain_amount(df):
    """Drop currency and thousands separators."""
    out = df.copy()
    plain = out["amount"].str.replace(r"^\\$|\\s*USD$", "", regex=True)
    grouped = plain.str.fullmatch(r"\\d{1,3}(,\\d{3})+(\\.\\d+)?", na=False)
    out["amount"] = plain.where(~grouped, plain.str.replace(",", ""))
    return out
''',
    "null tokens to blank": '''
_TOKENS = {"n/a", "null", "-", "unknown"}
CONTRACT = {"modifies": ["comment"]}
def detect(df):
    return df["comment"].str.strip().str.lower().isin(_TOKENS).fillna(False).astype(bool)
def blank_tokens(df):
    """Words for nothing become empty."""
    out = df.copy()
    out.loc[detect(out), "comment"] = ""
    return out
''',
    "null tokens to null": '''
import numpy as np
CONTRACT = {"modifies": ["comment"]}
def null_tokens(df):
    """Words for nothing become null."""
    out = df.copy()
    out["comment"] = out["comment"].replace({"N/A": None, "null": None, "-": None, "unknown": None})
    return out
''',
    "category spellings to one each": '''
_SPELLINGS = {"Shipped": "shipped", "SHIPED": "shipped", "Pending ": "pending", "canceled": "cancelled"}
CONTRACT = {"modifies": ["status"]}
def detect(df):
    return df["status"].isin(list(_SPELLINGS))
def fix_status(df):
    """One spelling for each status."""
    out = df.copy()
    out["status"] = out["status"].replace(_SPELLINGS)
    return out
''',
    "units removed": '''
CONTRACT = {"modifies": ["weight"]}
def weight_number(df):
    """12.5 kg becomes 12.5."""
    out = df.copy()
    out["weight"] = out["weight"].str.replace(r"^(\\d+(?:\\.\\d+)?)\\s*kg$", r"\\1", regex=True)
    return out
''',
    "boolean words": '''
_WORDS = {"yes": "true", "y": "true", "1": "true", "no": "false", "n": "false", "0": "false"}
CONTRACT = {"modifies": ["active"]}
def boolean_words(df):
    """true and false."""
    out = df.copy()
    out["active"] = out["active"].map(lambda v: _WORDS.get(v.strip().lower(), v) if isinstance(v, str) else v)
    return out
''',
    "zip codes padded": '''
CONTRACT = {"modifies": ["zip"]}
def detect(df):
    return df["zip"].str.fullmatch(r"[0-9]{3,4}", na=False)
def pad_zip(df):
    """Leading zeros back."""
    out = df.copy()
    out.loc[detect(out), "zip"] = out.loc[detect(out), "zip"].str.zfill(5)
    return out
''',
    "HTML entities": '''
import html
CONTRACT = {"modifies": ["note"]}
def unescape_note(df):
    """&amp; becomes &."""
    out = df.copy()
    out["note"] = out["note"].map(lambda v: html.unescape(v) if isinstance(v, str) else v)
    return out
''',
    "unicode composed": '''
import unicodedata
CONTRACT = {"modifies": ["note"]}
def compose(df):
    """NFC."""
    out = df.copy()
    out["note"] = out["note"].str.normalize("NFC")
    return out
''',
    "state names to codes": '''
_CODES = {"California": "CA", "Texas": "TX", "New York": "NY", "Ohio": "OH"}
CONTRACT = {"modifies": ["state"]}
def detect(df):
    return df["state"].isin(list(_CODES))
def state_codes(df):
    """Two letters."""
    out = df.copy()
    out["state"] = out["state"].replace(_CODES)
    return out
''',
    "impossible quantities to null, integers stay integers": '''
CONTRACT = {"modifies": ["quantity"]}
def detect(df):
    return (df["quantity"] < 0).fillna(False).astype(bool)
def no_negative_quantity(df):
    """-1 stands for unknown."""
    out = df.copy()
    out["quantity"] = out["quantity"].mask(detect(out))
    return out
''',
    "rows without a score dropped": '''
CONTRACT = {"drops_rows": True, "modifies": []}
def detect(df):
    return df["score"].isna()
def drop_unscored(df):
    """Rows without a score say nothing."""
    return df[df["score"].notna()].reset_index(drop=True)
''',
    "column added": '''
CONTRACT = {"adds": ["year"], "modifies": []}
def add_year(df):
    """The year of the date."""
    out = df.copy()
    out["year"] = out["date"].str.extract(r"(\\d{4})", expand=False)
    return out
''',
    "column added beside cells that detect flags": '''
CONTRACT = {"adds": ["year"], "modifies": ["city"]}
def detect(df):
    return df["city"].notna() & (df["city"] != df["city"].str.strip())
def trim_and_add_year(df):
    """Stray blanks, and the year of the date."""
    year = df["date"].str.extract(r"(\\d{4})", expand=False)
    return df.assign(city=df["city"].str.strip(), year=year)
''',
    "column dropped": '''
CONTRACT = {"drops": ["paid"], "modifies": []}
def drop_paid(df):
    """Not ours to keep."""
    return df.drop(columns=["paid"], errors="ignore")
''',
    "row by row with apply": '''
CONTRACT = {"modifies": ["city", "state"]}
def upper_both(df):
    """Upper case in two columns."""
    out = df.copy()
    for name in ("city", "state"):
        out[name] = out[name].apply(lambda v: v.upper() if isinstance(v, str) else v)
    return out
''',
    "negative zero made positive": '''
CONTRACT = {"modifies": ["score"]}
def positive_zero(df):
    """-0.0 is 0.0."""
    out = df.copy()
    out["score"] = out["score"] + 0.0
    return out
''',
}


@pytest.mark.parametrize("source", GOOD.values(), ids=GOOD.keys())
def test_good_function_passes(source: str, judge: Callable[..., Verdict]) -> None:
    """A function that does what it says, and nothing else, is promoted."""
    verdict = judge(
        f'"""An issue."""{source}',
        instruction="Add the year, remove the column paid. Drop rows without a score.",
        examples=[Example(input={"date": "2021-05-06"}, output={"year": "2021"})] if '"adds"' in source else [],
    )
    assert verdict.passed, feedback(verdict)
