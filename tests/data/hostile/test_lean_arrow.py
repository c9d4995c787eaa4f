"""Arrow without pandas, and without functions that nobody asked for."""

import json
import subprocess
import sys
from typing import Any

import pyarrow.compute as pc
import pytest


def printed(code: str) -> Any:
    """What a new process prints, as JSON."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def lean() -> dict[str, Any]:
    """What a process finds that imported what decoder and judge import, and what both of them call."""
    found: dict[str, Any] = printed(
        "import json, sys\n"
        "from orchestrator.data.lean_libraries import import_lean\n"
        "import_lean()\n"
        "from orchestrator.data.hostile import decoder_process\n"
        "from orchestrator.gate.judge import judge_process\n"
        "decoder_process.warm()\n"
        "judge_process.warm()\n"
        "import pyarrow.compute as pc\n"
        "def has(name):\n"
        "    return callable(getattr(pc, name, None))\n"
        "made = len(vars(pc))\n"
        "names = sorted(filter(has, {*pc.list_functions(), 'and_', 'or_', 'utf8_zfill'}))\n"
        "total = pc.sum([1, 2]).as_py() + len(pc.year.__doc__)\n"
        "print(json.dumps({'pandas': 'pandas' in sys.modules, 'made': made, 'names': names, 'total': total}))"
    )
    return found


def test_decoder_and_judge_load_no_pandas(lean: dict[str, Any]) -> None:
    """Neither when they are imported nor when they are warmed."""
    assert not lean["pandas"]


def test_functions_of_arrow_are_made_when_they_are_asked_for(lean: dict[str, Any]) -> None:
    """Few at the import; in the end the same ones as PyArrow makes, with their documentation."""
    assert lean["made"] < len(vars(pc)) - 150
    assert lean["names"] == sorted(
        name for name in {*pc.list_functions(), "and_", "or_", "utf8_zfill"} if callable(getattr(pc, name, None))
    )
    assert lean["total"] > 100


def test_a_name_that_arrow_does_not_have_is_an_error_as_ever() -> None:
    """The words of the error are those of any module."""
    said = printed(
        "import json\n"
        "from orchestrator.data.lean_libraries import import_lean\n"
        "import_lean()\n"
        "import pyarrow.compute as pc\n"
        "try:\n    pc.no_such_function\nexcept AttributeError as error:\n    print(json.dumps(str(error)))\n"
    )
    assert said == "module 'pyarrow.compute' has no attribute 'no_such_function'"
