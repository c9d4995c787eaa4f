# data: orders
"""Status has typos and stray case."""
CONTRACT = {
    "modifies": ["status"],
    "examples": [
        {"input": {"status": "SHIPED"}, "output": {"status": "shipped"}},
        {"input": {"status": "Pending "}, "output": {"status": "pending"}},
        {"input": {"status": "canceled"}, "output": {"status": "cancelled"}},
    ],
}
_TYPOS = {"shiped": "shipped", "canceled": "cancelled"}


def _status(value):
    if not isinstance(value, str):
        return value
    plain = value.strip().lower()
    return _TYPOS.get(plain, plain)


def detect(df):
    return df["status"].notna() & (df["status"].map(_status) != df["status"])


def one_status(df):
    """shipped, pending, cancelled, returned."""
    out = df.copy()
    out["status"] = out["status"].map(_status)
    return out
