"""`make demo`: make a messy file, clean it with the built-in proposer, score the result against the truth."""

import shutil
import subprocess
import sys
from pathlib import Path

from rich.console import Console

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # so that it runs as a script

from examples.make_orders import make_orders, write  # noqa: E402 - after the path is set
from examples.score import read, score, show  # noqa: E402 - the same

OUTPUT = ROOT / "demo-out"


def main() -> int:
    """Run the demo; the exit code is that of `cleanroom run`."""
    console = Console(highlight=False)
    shutil.rmtree(OUTPUT, ignore_errors=True)
    OUTPUT.mkdir()
    write(make_orders(rows=6000, seed=7), OUTPUT)
    console.print("==> cleanroom run demo-out/messy.csv --model builtin --out demo-out/result")
    cleanroom = str(Path(sys.executable).parent / "cleanroom")
    command = [cleanroom, "run", str(OUTPUT / "messy.csv"), "--model", "builtin", "--out", str(OUTPUT / "result")]
    done = subprocess.run(command, check=False)  # noqa: S603 - our own command
    if done.returncode:
        return done.returncode
    console.print("\n==> the result against the truth, which the run never saw")
    dirty, cleaned, truth = (read(OUTPUT / name) for name in ("messy.csv", "result/cleaned.csv", "truth.csv"))
    show(score(dirty, cleaned, truth, read(OUTPUT / "errors.csv")), console)
    console.print("\nLook at demo-out/result/report.html in a browser, or at its page: cleanroom serve --open demo-out")
    return 0


if __name__ == "__main__":
    sys.exit(main())
