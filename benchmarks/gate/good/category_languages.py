# data: papers
"""Languages as ISO 639-1 codes."""
CONTRACT = {
    "modifies": ["language"],
    "examples": [
        {"input": {"language": "English"}, "output": {"language": "en"}},
        {"input": {"language": "ger"}, "output": {"language": "de"}},
        {"input": {"language": "fre"}, "output": {"language": "fr"}},
    ],
}
_ISO = {"english": "en", "eng": "en", "german": "de", "ger": "de", "french": "fr", "fre": "fr", "en": "en", "de": "de", "fr": "fr"}


def _code(value):
    try:
        return _ISO[value.lower()]
    except (AttributeError, KeyError):
        return value


def detect(df):
    return df["language"].map(lambda v: isinstance(v, str) and v != _code(v)).astype(bool)


def language_codes(df):
    """en, de, fr."""
    out = df.copy()
    out["language"] = out["language"].apply(_code)
    return out
