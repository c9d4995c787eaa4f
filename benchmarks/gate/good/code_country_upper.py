# data: places
"""Country codes in upper case; UK is GB."""
CONTRACT = {
    "modifies": ["country_code"],
    "examples": [
        {"input": {"country_code": "de"}, "output": {"country_code": "DE"}},
        {"input": {"country_code": "UK"}, "output": {"country_code": "GB"}},
    ],
}


def detect(df):
    code = df["country_code"]
    return code.notna() & ((code != code.str.upper()) | (code == "UK"))


def country_codes(df):
    """ISO 3166."""
    out = df.copy()
    out["country_code"] = out["country_code"].str.upper().replace("UK", "GB")
    return out
