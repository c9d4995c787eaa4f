# data: staff
"""The first word of the manager is wanted as a column."""
CONTRACT = {
    "modifies": [],
    "adds": ["manager_first"],
    "examples": [{"input": {"manager": "@Tim Turing"}, "output": {"manager_first": "Tim"}}],
}


def manager_first_name(df):
    """First name of the manager."""
    out = df.copy()
    out["manager_first"] = out["manager"].str.extract(r"^@?(\S+)", expand=False)
    return out
