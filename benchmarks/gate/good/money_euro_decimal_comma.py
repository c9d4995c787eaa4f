# data: orders
"""European prices to plain decimals."""
import re

CONTRACT = {
    "modifies": ["price_eur"],
    "examples": [
        {"input": {"price_eur": "1.234,50 €"}, "output": {"price_eur": "1234.50"}},
        {"input": {"price_eur": "€ 7,05"}, "output": {"price_eur": "7.05"}},
    ],
}
_EURO = re.compile(r"^(?:€ )?([0-9]{1,3}(?:\.[0-9]{3})*),([0-9]{2})(?: €)?$")


def _decimal(text):
    found = _EURO.match(text)
    if not found:
        return text
    whole, cents = found.groups()
    return whole.replace(".", "") + "." + cents


def detect(df):
    return df["price_eur"].apply(lambda v: bool(isinstance(v, str) and _EURO.match(v))).astype(bool)


def euro_prices(df):
    """1.234,50 € becomes 1234.50."""
    out = df.copy()
    mask = out["price_eur"].notna()
    out.loc[mask, "price_eur"] = out.loc[mask, "price_eur"].apply(_decimal)
    return out
