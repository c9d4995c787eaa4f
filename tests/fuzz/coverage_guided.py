"""Fuzzes one reader of hostile bytes for a bounded time, guided by what its code has not yet done. `make fuzz` runs it.

    python -m tests.fuzz.coverage_guided [TARGET SECONDS [FOLDER]]

Without arguments it prints the targets. It needs atheris (the dependency group `fuzz`). New inputs are made from good
messages and from what is kept in `corpus/`. A finding is written to FOLDER (default: the current one) and ends it with
a traceback and exit code 1; once it is understood and mended, it belongs into `corpus/TARGET/`, where every test run
replays it.
"""

import os
import random
import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(
    include=["orchestrator.data", "orchestrator.sandbox.containers.wire", "orchestrator.gate", "json"]
):
    from tests.fuzz import strategies, targets

CORPUS = Path(__file__).parent / "corpus"
LONGEST = 65536


def _mutator(data: bytes, max_size: int, seed: int) -> bytes:
    """Now a lie about a length, now whatever libFuzzer thinks of."""
    draw = random.Random(seed)  # noqa: S311 - libFuzzer's own seed makes a finding repeatable
    made = strategies.mutate(data, draw) if data and draw.random() < 0.6 else atheris.Mutate(data, max_size)
    return bytes(made[:max_size])


def main(name: str, seconds: int, folder: Path) -> None:
    """Fuzz one target in a process of its own: libFuzzer ends the one that it runs in."""
    with tempfile.TemporaryDirectory(prefix="cleanroom-fuzz-") as place:
        for number, seed in enumerate(strategies.seeds()[name]):
            (Path(place) / str(number)).write_bytes(seed)
        options = [
            f"-max_total_time={seconds}",
            f"-max_len={LONGEST}",
            f"-artifact_prefix={folder}/",
            "-timeout=10",
            "-rss_limit_mb=2048",
            "-verbosity=0",
            "-print_final_stats=1",
        ]
        kept = [str(CORPUS / name)] if (CORPUS / name).is_dir() else []
        pid = os.fork()
        if pid == 0:
            atheris.Setup([sys.argv[0], *options, place, *kept], targets.TARGETS[name], custom_mutator=_mutator)
            atheris.Fuzz()
            os._exit(0)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    sys.exit(status and 1)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        print(*targets.TARGETS, sep="\n")  # noqa: T201 - what make asks for
    else:
        target, time_s, *rest = sys.argv[1:]
        main(target, int(time_s), Path(rest[0]) if rest else Path())
