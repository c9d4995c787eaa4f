# data: staff
"""Departments have several names."""
CONTRACT = {"modifies": ["department"]}


def departments(df):
    """One name each."""
    out = df.copy()
    names = {
        "sales": "Sales", "SALES": "Sales",
        "HR": "Human Resources", "H.R.": "Human Resources",
        "I.T.": "IT", "Mktg": "Marketing",
    }
    for wrong, right in names.items():
        out.loc[out["department"] == wrong, "department"] = right
    return out
