# data: staff
"""Salaries as whole dollars."""
CONTRACT = {
    "modifies": ["salary"],
    "examples": [
        {"input": {"salary": "85k"}, "output": {"salary": "85000"}},
        {"input": {"salary": "$52000"}, "output": {"salary": "52000"}},
        {"input": {"salary": "61,250"}, "output": {"salary": "61250"}},
    ],
}


def _salary(text):
    bare = text.strip().lstrip("$")
    if bare.endswith("k") and bare[:-1].isascii() and bare[:-1].isdigit():
        return bare[:-1] + "000"
    head, comma, tail = bare.partition(",")
    if comma and head.isascii() and head.isdigit() and len(head) <= 3 and tail.isascii() and tail.isdigit() and len(tail) == 3:
        return head + tail
    if bare.isascii() and bare.isdigit():
        return bare
    return text


def salary_dollars(df):
    """85k, $85000 and 85,000 are the same."""
    out = df.copy()
    for row in out.index:
        value = out.at[row, "salary"]
        if isinstance(value, str):
            out.at[row, "salary"] = _salary(value)
    return out
