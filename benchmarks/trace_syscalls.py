"""Which system calls a sandbox needs: traces the guest on a reference workload. `python benchmarks/trace_syscalls.py`

Runs the guest's own program on this machine under strace (Debian: `apt-get install strace`), with both locks of a child
on, gives it jobs through the ordinary protocol, and writes the names of all calls to tests/golden/syscalls/: `guest`
for the whole life of a container, `child` for what comes after a child's filter is installed. The tests hold
seccomp.json and sandbox_image/syscall_numbers.py to these files; docs/decisions/0010-system-calls.md tells how they are used.
"""

import io
import os
import re
import select
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from orchestrator.core.jobs import Case, Child, GuestEnvironment, Job, Limits, Op, Program  # noqa: E402 - the checkout's own
from orchestrator.sandbox.containers.wire import encode_job, read_ready, read_reply  # noqa: E402 - the same
from orchestrator.sandbox.posture.environments import PYTHON_FLAGS, guest_variables  # noqa: E402 - the same

# ruff: noqa: E501 - one program a line
GOLDEN = ROOT / "tests" / "golden" / "syscalls"
BODIES = {
    "text": 'df["t"] = df.t.str.strip().str.title().str.replace(r"\\s+", " ", regex=True).str.normalize("NFKC")',
    "numbers": 'df["n"] = pd.to_numeric(df.t, errors="coerce").fillna(df.n.median()).round(2).clip(0, 9)',
    "dates": 'df["d"] = pd.to_datetime(df.d, errors="coerce", utc=True).dt.tz_convert("Europe/Vienna").astype(str)',
    "zones": "import zoneinfo, datetime; df['z'] = str(datetime.datetime(2024, 7, 1, tzinfo=zoneinfo.ZoneInfo('Asia/Tokyo')))",
    "groups": 'df["g"] = df.groupby("t").n.transform("mean"); df = df.merge(df, on="t", suffixes=("", "_r")).pivot_table(index="t")',
    "sorting": 'df = df.sort_values(["t", "n"], na_position="first").drop_duplicates().reset_index(drop=True).rolling(2, on="n").count()',
    "categories": 'df["t"] = df.t.astype("category").cat.codes; df["q"] = pd.cut(df.n, 3).astype(str)',
    "arrays": "import numpy as np; df['n'] = np.linalg.svd(np.random.rand(300, 300))[1].sum() + np.fft.fft(np.arange(4096)).real.sum()",
    "big": "import numpy as np; x = [np.ones(3_000_000) for _ in range(9)]; df['n'] = sum(float(a.sum()) for a in x)",
    "csv": "df = pd.read_csv(io.StringIO(df.to_csv(index=False)), engine='python'); pd.read_json(io.StringIO(df.to_json()))",
    "arrow": "import pyarrow.csv as c; c.read_csv(io.BytesIO(b'a,b\\n1,2\\n' * 9999)); df['t'] = df.t.astype('string[pyarrow]')",
    "threads": "import concurrent.futures as c; df['n'] = sum(c.ThreadPoolExecutor(3).map(abs, range(9)))",
    "timers": "import time, signal; signal.setitimer(signal.ITIMER_REAL, 0); time.sleep(0.01); time.perf_counter()",
    "files": (
        "import tempfile, shutil, os\n    with tempfile.TemporaryDirectory() as t:\n        p = os.path.join(t, 'x')\n"
        "        open(p, 'w').write('x' * 9999); shutil.copy(p, p + '2'); os.rename(p, p + '3'); os.listdir(t); os.stat(p + '3')"
    ),
    "late": "import decimal, fractions, textwrap, html, difflib, statistics, urllib.parse, email.message, logging, uuid; uuid.uuid4()",
    "raises": "raise ValueError(df.t.iloc[0])",
    "recursion": "f = lambda n: f(n + 1); f(0)",
    "memory": "bytearray(2**40)",
    "processor": "while True: pass",
    "wall": "import time; time.sleep(9)",
    "leaves": "import os; os._exit(0)",
    "signal": "import signal; signal.raise_signal(signal.SIGTERM)",
    "prints": "print(df); import sys; sys.stderr.write('x'); sys.stdout.flush()",
    "floods": "import os\n    while True: os.write(3, b'x' * 65536)",
}
LIMITS = Limits(wall_s=3.0, cpu_s=1.0, memory_bytes=2**30, output_bytes=2**20)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "trace"
        _run(trace)
        guest, child, refused = _read(trace.read_text(encoding="utf-8", errors="replace"))
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for name, calls in (("guest", guest), ("child", child)):
        (GOLDEN / f"{name}-{os.uname().machine}.txt").write_text("\n".join(sorted(calls)) + "\n", encoding="utf-8")
    print(f"{len(guest)} calls in a guest's life, {len(child)} of them in children; refused there: {sorted(refused)}")


def _run(trace: Path) -> None:
    guest = [sys.executable, *PYTHON_FLAGS, str(ROOT / "sandbox_image" / "guest.py")]
    surroundings = guest_variables(GuestEnvironment.FIRST, 300.0, "filter=required,landlock=available")
    process = subprocess.Popen(
        ["strace", "-f", "-qq", "-o", str(trace), *guest],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=surroundings | {"PATH": os.environ["PATH"]},
    )
    assert process.stdin is not None  # noqa: S101 - opened with PIPE above
    assert process.stdout is not None  # noqa: S101 - opened with PIPE above
    out = process.stdout.fileno()

    def receive(most: int, deadline: float) -> bytes:
        if not select.select([out], [], [], max(0.0, deadline - time.monotonic()))[0]:
            raise TimeoutError
        return os.read(out, most)

    read_ready(receive, time.monotonic() + 60)
    for job in _jobs():
        process.stdin.writelines(encode_job(job))
        process.stdin.flush()
        reply = read_reply(receive, time.monotonic() + 60, job)
        print(job.programs[0].name, *(child.ended for child in reply.children))
    process.stdin.close()
    process.wait(30)


def _jobs() -> list[Job]:
    table = pa.table({"t": [" a ", "B\u00e4", None, "7"] * 50, "n": [1.5, None, 3, 4] * 50, "d": ["2024-01-02"] * 200})
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    case = Case("case", sink.getvalue(), (Op.F, Op.FF, Op.DETECT), echo_input=True)
    head = "import io\nimport pandas as pd\ndef detect(df): return df.t.isna()\ndef f(df):\n    "
    child = Child((case,), LIMITS)
    return [Job((Program("f", f"{head}{body}\n    return df\n"),), (child, child)) for body in BODIES.values()]


def _read(text: str) -> tuple[set[str], set[str], set[str]]:
    guest: set[str] = set()
    child: set[str] = set()
    refused: set[str] = set()
    filtered: set[str] = set()
    for line in text.splitlines():
        found = re.match(r"(\d+) +(?:<\.\.\. )?(\w+)(?: resumed>|\()(.*)", line)
        if found is None:
            continue
        pid, name, rest = found.groups()
        guest.add(name)
        if pid in filtered:
            child.add(name)
            if " = -1 EPERM" in rest:
                refused.add(name)
            if name.startswith("clone") and (new := re.search(r"= (\d+)$", rest)):
                filtered.add(new[1])  # a thread of a child
        elif name == "seccomp" and "SECCOMP_SET_MODE_FILTER" in rest and " = 0" in rest:
            filtered.add(pid)
    return guest, child, refused


if __name__ == "__main__":
    main()
