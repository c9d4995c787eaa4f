"""A built wheel carries all that an installed cleanroom needs outside the checkout."""

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def test_the_wheel_carries_prompts_and_image(tmp_path: Path) -> None:
    """Prompts, Dockerfile.sandbox, the guest, its lock, seccomp profile and report templates are all in it."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("cleanroom-*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    guest = {
        f"orchestrator/_assets/sandbox_image/{p.relative_to(ROOT / 'sandbox_image')}" for p in _tracked("sandbox_image")
    }
    prompts = {f"orchestrator/_assets/prompts/{p.name}" for p in _tracked("prompts")}
    package = {str(p.relative_to(ROOT)) for p in _tracked("orchestrator")}
    assert guest
    assert prompts
    missing = (guest | prompts | package | {"orchestrator/_assets/Dockerfile.sandbox"}) - names
    assert missing == set()
    assert not any("__pycache__" in name for name in names)


def _tracked(folder: str) -> list[Path]:
    return [p for p in (ROOT / folder).rglob("*") if p.is_file() and "__pycache__" not in p.parts]
