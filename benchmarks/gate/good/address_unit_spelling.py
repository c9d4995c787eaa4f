# data: places
"""Apartment numbers."""
import re

CONTRACT = {
    "modifies": ["unit"],
    "examples": [
        {"input": {"unit": "#52"}, "output": {"unit": "Apt 52"}},
        {"input": {"unit": "apt. 7"}, "output": {"unit": "Apt 7"}},
        {"input": {"unit": "Unit 82"}, "output": {"unit": "Apt 82"}},
    ],
}


def _unit(value):
    return re.sub(r"^(?:#|apt\.? |unit )([0-9]+)$", r"Apt \1", value, flags=re.I) if isinstance(value, str) else value


def detect(df):
    return df["unit"].notna() & (df["unit"].map(_unit) != df["unit"])


def apartments(df):
    """Apt 52."""
    out = df.copy()
    out["unit"] = out["unit"].map(_unit)
    return out
