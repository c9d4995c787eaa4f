# %% [markdown]
# # cleanroom as a library
# Runs cell by cell in a notebook, or whole: `.venv/bin/python examples/library.py`. Needs what `cleanroom setup` makes.

# %% A messy file
import csv
import sys
import tempfile
from pathlib import Path

from orchestrator import Cleanroom

folder = Path(tempfile.mkdtemp(prefix="cleanroom-"))
messy = folder / "messy.csv"
cities = ["Bonn", " Bonn", "Kiel ", "Ulm", "Trier", " Ulm "]
with messy.open("w", newline="", encoding="utf-8") as file:
    csv.writer(file).writerows([("id", "city"), *((i, cities[i % len(cities)]) for i in range(300))])


# %% A model of your own: any object with generate(messages) -> str. (This one knows a single trick.)
class TrimsCities:
    """Answers as a language model would: once with a function, and then that all is well."""

    reply = """<cleaning_analysis>
<issues_detected><issue id="1" solved="false">Stray blanks in city</issue></issues_detected>
<function_to_generate><name>unpad_city</name><docstring>Strip blanks from city.</docstring>
<columns>["city"]</columns>
<detector><![CDATA[
def detect(df):
    return df["city"].fillna("").str.strip() != df["city"].fillna("")
]]></detector>
<code><![CDATA[
def unpad_city(df):
    out = df.copy()
    out["city"] = out["city"].str.strip()
    return out
]]></code></function_to_generate>
<chunk_status>needs_work</chunk_status></cleaning_analysis>"""

    def generate(self, messages: list[dict[str, str]]) -> str:
        done = any("unpad_city" in message["content"] for message in messages)
        return "<cleaning_analysis><chunk_status>clean</chunk_status></cleaning_analysis>" if done else self.reply


with Cleanroom(TrimsCities()) as cleanroom:
    # %% Clean the file, and watch
    run = cleanroom.run(messy, out=folder / "result")
    for event in run:
        print(type(event).__name__, file=sys.stderr)
    summary = run.result()
    print(f"promoted: {', '.join(summary.promoted)}; cells changed: {summary.changed}")

    # %% What its journal tells, also much later (a run that was cut off goes on with cleanroom.resume)
    past = Cleanroom.past(run.folder)
    ended = past.end.status.shown if past.end else "cut off"
    print(f"{ended} after {len(past.steps)} steps and {past.used.calls} questions")

    # %% Judge a function of a colleague's: a verdict, never an exception
    verdict = cleanroom.verify(
        '''
def blank_city(df):
    """Make every city tidy."""
    return df.assign(city="")
''',
        messy,
    )
    print(f"blank_city: {verdict.verdict}")
    for check in verdict.failures:
        print(f"  {check.id}: {check.detail}")

    # %% Run what was promoted over another file
    applied = cleanroom.apply(messy, folder / "result", folder / "again.csv")
    print(f"{applied.rows_out} rows, {sum(column.changed for column in applied.columns)} cells changed")
