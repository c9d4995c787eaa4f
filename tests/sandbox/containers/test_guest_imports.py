"""What the guest imports is what lies in the image, however it gets it."""

import contextlib
import json
from typing import Any

import pytest

from orchestrator.sandbox.provision.engine_client import connect
from orchestrator.sandbox.provision.setup import ensure_ready
from orchestrator.sandbox.provision.smoke_test import run_in_image

pytestmark = pytest.mark.docker

ARCHIVED = """
import importlib.util, json, marshal, os, sys
sys.path.insert(0, "/cleanroom")
different, names = [], {}
for archive in ("light", "full"):
    with open(f"/cleanroom/{archive}.modules", "rb") as file:
        entries = marshal.loads(file.read())
    names[archive] = sorted(entries)
    for name, (origin, package, code) in entries.items():
        if code is None:
            different += [] if os.path.exists(origin) else [name]
            continue
        with open(importlib.util.cache_from_source(origin), "rb") as file:
            own = marshal.loads(file.read()[16:])
        if code != own or package is not origin.endswith("/__init__.py"):
            different.append(name)
print(json.dumps({"different": different, "names": names}))
"""
LEAN = """
import json, sys
sys.path.insert(0, "/cleanroom")
import lean_imports
lean_imports.run()
import pyarrow.compute as pc
from pyarrow._compute import function_registry
made_at_first = sum(hasattr(f, "__arrow_compute_function__") for f in vars(pc).values())
names = function_registry().list_functions()
usable = [n for n in names if hasattr(pc, n)]
print(json.dumps({
    "at_first": made_at_first,
    "usable": {n: str(getattr(pc, n).__signature__) for n in usable if hasattr(getattr(pc, n), "__signature__")},
    "and": pc.and_([True], [False]).to_pylist(),
    "unknown": hasattr(pc, "no_such_function"),
}))
"""
PLAIN = """
import json
import pyarrow.compute as pc
from pyarrow._compute import function_registry
usable = [n for n in function_registry().list_functions() if hasattr(pc, n)]
print(json.dumps({n: str(getattr(pc, n).__signature__) for n in usable if hasattr(getattr(pc, n), "__signature__")}))
"""


def printed(script: str) -> Any:
    """What a script prints as JSON, run with the image's Python."""
    image = ensure_ready(lambda _: None)
    with contextlib.closing(connect()) as client:
        ended = run_in_image(client, image, script)
    assert ended.code == 0, ended.output
    return json.loads(ended.output.splitlines()[-1])


def test_the_archives_hold_the_code_of_the_images_own_files() -> None:
    """Every module in them equals the compiled file in its place; pandas is in one and in the other it is not."""
    found = printed(ARCHIVED)
    assert found["different"] == []
    assert {"json", "supervise", "records"} <= set(found["names"]["light"])
    assert {"pandas.core.frame", "pyarrow.compute", "numpy._core.multiarray"} <= set(found["names"]["full"])
    assert not [name for name in found["names"]["light"] if name.startswith(("numpy", "pandas", "pyarrow"))]


def test_every_arrow_function_is_there_when_it_is_asked_for() -> None:
    """The functions that the compute module makes late are the very ones that it would have made at import."""
    late = printed(LEAN)
    assert late["usable"] == printed(PLAIN)
    assert late["at_first"] < 100
    assert late["and"] == [False]
    assert late["unknown"] is False
