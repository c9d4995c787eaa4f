# data: customers
"""Birth dates in two foreign styles."""
import re
import datetime as dt

CONTRACT = {"modifies": ["birth"]}
_MONTHS = {"Jan": 1, "Feb": 2, "Mar": 3, "Apr": 4, "May": 5, "Jun": 6, "Jul": 7, "Aug": 8, "Sep": 9, "Oct": 10, "Nov": 11, "Dec": 12}


def _clean(value):
    if not isinstance(value, str):
        return value
    m = re.fullmatch(r"([0-9]{2})/([0-9]{2})/([0-9]{4})", value)
    if m:
        year, month, day = int(m[3]), int(m[1]), int(m[2])
    else:
        m = re.fullmatch(r"([0-9]{1,2}) ([A-Z][a-z]{2}) ([0-9]{4})", value)
        if not m or m[2] not in _MONTHS:
            return value
        year, month, day = int(m[3]), _MONTHS[m[2]], int(m[1])
    try:
        return dt.date(year, month, day).isoformat()
    except ValueError:
        return value


def birth_iso(df):
    """ISO birth dates."""
    out = df.copy()
    out["birth"] = out["birth"].apply(_clean)
    return out
