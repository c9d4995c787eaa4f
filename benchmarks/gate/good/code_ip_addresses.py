# data: events
"""IPv4 addresses with padding."""
CONTRACT = {
    "modifies": ["ip"],
    "examples": [
        {"input": {"ip": "021.199.105.085"}, "output": {"ip": "21.199.105.85"}},
        {"input": {"ip": " 10.0.0.1"}, "output": {"ip": "10.0.0.1"}},
    ],
}


def _ip(value):
    if not isinstance(value, str):
        return value
    parts = value.strip().split(".")
    if len(parts) != 4 or not all(p.isascii() and p.isdigit() and int(p) <= 255 for p in parts):
        return value
    return ".".join(str(int(p)) for p in parts)


def detect(df):
    return df["ip"].map(lambda v: isinstance(v, str) and _ip(v) != v).astype(bool)


def plain_ip(df):
    """No blanks, no leading zeros."""
    out = df.copy()
    out["ip"] = out["ip"].map(_ip)
    return out
