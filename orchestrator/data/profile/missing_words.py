"""Words that stand for a missing value, folded. Called by `quality`, the check of headers, prompts and privacy."""

NULL_TOKENS = (
    "n/a", "na", "n.a.", "#n/a", "nan", "null", "none", "nil", "-", "--", "---", "?", "??", ".", "unknown", "missing",
    "undefined", "not available", "not applicable", "tbd", "(blank)", "(null)", "\\n", "#value!", "#ref!",
)  # fmt: skip
