# data: events
"""The sensor writes 9999 when it is off."""
CONTRACT = {"modifies": ["value"]}


def detect(df):
    return df["value"].isin([9999.0])


def sensor_off(df):
    """9999 to null."""
    out = df.copy()
    out.loc[out["value"] == 9999.0, "value"] = None
    return out
