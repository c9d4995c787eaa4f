# data: events
"""Results are pass or fail."""
CONTRACT = {
    "modifies": ["ok"],
    "examples": [
        {"input": {"ok": "OK"}, "output": {"ok": "pass"}},
        {"input": {"ok": "Failed"}, "output": {"ok": "fail"}},
        {"input": {"ok": "passed"}, "output": {"ok": "pass"}},
    ],
}
_WORDS = {"ok": "pass", "pass": "pass", "passed": "pass", "fail": "fail", "failed": "fail"}


def detect(df):
    return df["ok"].str.lower().isin(_WORDS) & ~df["ok"].isin(["pass", "fail"])


def result_words(df):
    """pass, fail."""
    out = df.copy()
    out["ok"] = out["ok"].str.lower().map(_WORDS).fillna(out["ok"])
    return out
