# data: places
"""Regions are abbreviated."""
import numpy as np

CONTRACT = {
    "modifies": ["region"],
    "examples": [
        {"input": {"region": "N"}, "output": {"region": "North"}},
        {"input": {"region": "WEST"}, "output": {"region": "West"}},
    ],
}


def detect(df):
    return df["region"].str.lower().isin(["n", "north", "s", "south", "e", "east", "w", "west"]) & ~df["region"].isin(
        ["North", "South", "East", "West"]
    )


def region_names(df):
    """North, South, East, West."""
    out = df.copy()
    low = df["region"].str.lower()
    conditions = [low.isin(["n", "north"]), low.isin(["s", "south"]), low.isin(["e", "east"]), low.isin(["w", "west"])]
    made = np.select(conditions, ["North", "South", "East", "West"], default=None)
    known = low.isin(["n", "north", "s", "south", "e", "east", "w", "west"])
    out["region"] = df["region"].mask(known, made)
    return out
