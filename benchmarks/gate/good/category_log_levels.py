# data: events
"""Log levels."""
CONTRACT = {
    "modifies": ["level"],
    "examples": [
        {"input": {"level": "warn"}, "output": {"level": "WARNING"}},
        {"input": {"level": "err"}, "output": {"level": "ERROR"}},
        {"input": {"level": "info"}, "output": {"level": "INFO"}},
    ],
}
_LONG = {"WARN": "WARNING", "ERR": "ERROR"}


def detect(df):
    upper = df["level"].str.upper()
    return upper.notna() & (upper.replace(_LONG) != df["level"])


def log_levels(df):
    """Upper case, long names."""
    out = df.copy()
    out["level"] = out["level"].str.upper().replace(_LONG)
    return out
