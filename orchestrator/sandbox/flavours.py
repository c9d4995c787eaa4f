"""The surroundings of a guest process: environment by flavour. Called by posture.py and local.py.

The two flavours differ in everything that a function might wrongly depend on: hash seed, time zone, locale. Time zones
are POSIX rules, so that they need no files.
"""

from orchestrator.core.jobs import Flavour

_FLAVOURS = {
    Flavour.FIRST: {"PYTHONHASHSEED": "1", "TZ": "UTC0", "LC_ALL": "C.UTF-8"},
    Flavour.CONFIRM: {"PYTHONHASHSEED": "4242", "TZ": "<+0545>-5:45", "LC_ALL": "C"},
}
_IMAGE = {"PATH": "/usr/bin", "LANG": "C.UTF-8"}  # what the image sets anyway, so that nothing is left to it
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "ARROW_NUM_THREADS")
PYTHON_FLAGS = ("-s", "-P", "-B")
"""No user packages, no current folder, no .pyc files. Not -I: it would ignore PYTHONHASHSEED."""


def environment(flavour: Flavour, lifetime_s: float, layers: str) -> dict[str, str]:
    """All environment variables of a guest; there are no others. `layers`: which locks its children need."""
    own = {"CLEANROOM_DEADLINE_S": f"{lifetime_s:g}", "CLEANROOM_LAYERS": layers}
    return {**_IMAGE, **_FLAVOURS[flavour], **own, **dict.fromkeys(_THREADS, "1")}
