"""What a candidate tries and hides fails it; what Python and pandas open for an honest one does not."""

import pytest

from orchestrator.core.verdict import Outcome
from tests.gate.conftest import Judge

CANDIDATE = '''"""Cities have stray blanks."""
CONTRACT = {{"modifies": ["city"]}}


def trim(df):
    """Trim."""
    try:
        {}
    except BaseException:
        pass
    return df.assign(city=df["city"].str.strip())
'''
ATTEMPTS = {
    "a file": 'open("/etc/passwd")',
    "a file beside it": 'open("data.csv")',
    "a file by its descriptor's folder": 'open("/proc/self/environ", "rb")',
    "a file by pathlib": 'import pathlib; pathlib.Path("/root/.ssh/id_rsa").read_bytes()',
    "a file by pandas": 'import pandas as pd; pd.read_csv("/etc/hosts")',
    "a file by numpy": 'import numpy as np; np.load("/home/x.npy")',
    "a file out of a folder that is allowed": 'import os; open(os.path.dirname(os.__file__) + "/../../../etc/passwd")',
    "a file that is written": 'open("/tmp/left", "w").write("x")',
    "a folder": 'import os; os.listdir("/home")',
    "a folder in steps": 'import os; next(os.scandir("/"))',
    "a socket": "import socket; socket.socket()",
    "a name of the network": 'import socket; socket.getaddrinfo("example.org", 80)',
    "a request": 'import urllib.request; urllib.request.urlopen("http://127.0.0.1:9/")',
    "a process": 'import subprocess; subprocess.run(["true"])',
    "a shell": 'import os; os.system("true")',
    "a fork": "import os; os.fork() or os._exit(0)",
    "a signal": "import os; os.kill(1, 0)",
    "a file that is removed": 'import os; os.remove("/tmp/nothing")',
    "a link": 'import os; os.symlink("/etc/passwd", "/tmp/link")',
}


@pytest.mark.parametrize("attempt", ATTEMPTS.values(), ids=ATTEMPTS.keys())
def test_quiet_attempt_fails(judge: Judge, attempt: str) -> None:
    """The result is right and nothing is raised; that it was tried is evidence."""
    verdict = judge(CANDIDATE.format(attempt), screen=False)
    assert verdict.verdict is Outcome.FAIL
    (pure,) = (check for check in verdict.checks if check.id == "pure")
    if verdict.failures[0].id == "pure":
        assert "no use for" in pure.detail


HONEST = {
    "modules within the function": "import json, difflib, unicodedata, decimal, fractions, statistics, html, _strptime",
    "modules of pandas": "import pandas.tseries.holiday, pandas.api.types, numpy.polynomial, pandas.io.formats.xml",
    "a module that is not there": "import no_such_module_at_all",
    "a time zone of the standard library": 'import zoneinfo; zoneinfo.ZoneInfo("America/Argentina/Ushuaia")',
    "a time zone that is not there": 'import zoneinfo; zoneinfo.ZoneInfo("Europe/Nowhere")',
    "all time zones": "import zoneinfo; zoneinfo.available_timezones()",
    "a time zone of pandas": 'import pandas as pd; pd.Timestamp("2024", tz="Asia/Kolkata").tz_convert("Europe/Oslo")',
    "a time zone of dateutil": 'import dateutil.tz; dateutil.tz.gettz("Europe/Lisbon"); dateutil.tz.tzlocal()',
    "a column with a time zone": 'import pandas as pd; pd.Series(pd.to_datetime(["2024"])).dt.tz_localize("Asia/Aden")',
    "dates by format": 'import datetime; datetime.datetime.strptime("3 Jan 2024", "%d %b %Y").strftime("%A %x")',
    "dates by pandas": 'import pandas as pd; pd.to_datetime(["Jan 3, 2024", "x"], errors="coerce", format="mixed")',
    "the locale": 'import locale; locale.setlocale(locale.LC_ALL, ""); locale.localeconv()',
    "a warning": 'import warnings; warnings.warn("careful", stacklevel=1)',
    "a warning of pandas": 'import pandas as pd; pd.to_datetime(["13/01/2024", "1/13/2024"], format="mixed")',
    "a traceback": "import traceback; traceback.print_stack(); traceback.format_exc()",
    "its own source": "import inspect; inspect.getsource(trim)",
    "random numbers": "import random, secrets, numpy; random.SystemRandom().random(); numpy.random.default_rng()",
    "printing": 'print("trimmed", df.shape, flush=True)',
    "encodings": '"x".encode("idna"); b"x".decode("cp1252"); "x".encode("utf-16")',
    "other types": 'df.convert_dtypes(dtype_backend="pyarrow"); df["city"].astype("category").cat.codes',
    "groups and joins": 'df.groupby("city").agg("first").join(df.set_index("city"), rsuffix="_")',
}


@pytest.mark.parametrize("action", HONEST.values(), ids=HONEST.keys())
def test_what_honest_functions_cause_is_no_attempt(judge: Judge, action: str) -> None:
    """Modules, time zones, locales, sources of warnings: Python opens them for itself."""
    verdict = judge(CANDIDATE.format(action), screen=False)
    assert verdict.passed, [(check.id, check.detail) for check in verdict.failures]


def test_attempt_of_a_helper_that_runs_when_it_is_loaded(judge: Judge) -> None:
    """What happens while the source is loaded counts as well, and for texts and records too."""
    loaded = CANDIDATE.format("1").replace(
        "\n\n\n", '\n\n\ntry:\n    open("/etc/passwd")\nexcept OSError:\n    pass\n\n\n', 1
    )
    verdict = judge(loaded, screen=False)
    assert verdict.failures[0].id == "pure"
    text = '''CONTRACT = {"shape": "text", "modifies": ["city"]}


def trim(text):
    """Trim."""
    try:
        open("/etc/passwd")
    except OSError:
        pass
    return text.strip()
'''
    verdict = judge(text, screen=False)
    assert "pure" in [check.id for check in verdict.failures]
