"""Writes what a release was built from beside it: an in-toto statement with SLSA provenance. Called by `make release`.

The statement names the files by their SHA-256, the commit, and the locked packages of the build. It is not signed here:
who releases signs it with a key that no build has.
"""

import hashlib
import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path


def main(folder: Path) -> None:
    """Write provenance.json into the folder."""
    files = sorted(path for path in folder.iterdir() if path.name != "provenance.json")
    commit = _git("rev-parse", "HEAD")
    lock = Path("requirements/dev.lock")
    statement = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": path.name, "digest": {"sha256": _sha256(path)}} for path in files],
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": "urn:cleanroom:make-release:1",
                "externalParameters": {"target": "release", "changed": bool(_git("status", "--porcelain"))},
                "resolvedDependencies": [
                    {"uri": "git+commit", "digest": {"gitCommit": commit}},
                    {"uri": str(lock), "digest": {"sha256": _sha256(lock)}},
                ],
            },
            "runDetails": {
                "builder": {"id": f"urn:cleanroom:make:python-{sys.version_info.major}.{sys.version_info.minor}"},
                "metadata": {"finishedOn": datetime.now(UTC).isoformat(timespec="seconds")},
            },
        },
    }
    (folder / "provenance.json").write_text(json.dumps(statement, indent=2) + "\n", encoding="utf-8")


def _git(*arguments: str) -> str:
    command = ["git", *arguments]  # the one on the PATH of whoever releases
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603 - our own words


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
