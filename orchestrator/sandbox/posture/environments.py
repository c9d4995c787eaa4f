"""The environment of a guest process: environment variables and clock. Called by posture.py and local.py.

The two environments differ in everything that a function might wrongly depend on: hash seed, time zone, locale and, in
containers, the clock. Time zones are POSIX rules, so that they need no files. The clock of the confirming container is
moved by libfaketime, which the image holds: wall clocks only, so that deadlines, which go by the monotonic clock, hold.
The other containers hold the same library and move their clock by nothing, so that its presence says nothing.
"""

from orchestrator.core.jobs import GuestEnvironment

_VARIABLES = {
    GuestEnvironment.FIRST: {"PYTHONHASHSEED": "1", "TZ": "UTC0", "LC_ALL": "C.UTF-8"},
    GuestEnvironment.CONFIRM: {"PYTHONHASHSEED": "4242", "TZ": "<+0545>-5:45", "LC_ALL": "C"},
}
_LIGHT = {"CLEANROOM_LIGHT": "1"}  # the guest is ready without pandas
_LATER_S = (7 * 365 + 150) * 86_400 + 27_073  # seven years and five months on: another weekday, month, hour and minute
_MOVED_S = {GuestEnvironment.FIRST: 0, GuestEnvironment.CONFIRM: _LATER_S}
_CLOCK = {
    "LD_PRELOAD": "/usr/lib/clock/libclock.so.1",
    "FAKETIME_CACHE_DURATION": "2000000000",  # read once: a child's environment is empty
    "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    "NO_FAKE_STAT": "1",
}
_IMAGE = {"PATH": "/usr/bin", "LANG": "C.UTF-8"}  # what the image sets anyway, so that nothing is left to it
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "ARROW_NUM_THREADS")
PYTHON_FLAGS = ("-s", "-P", "-B")
"""No user packages, no current folder, no .pyc files. Not -I: it would ignore PYTHONHASHSEED."""


def guest_variables(
    environment: GuestEnvironment, lifetime_s: float, layers: str, hash_seed: int | None = None
) -> dict[str, str]:
    """All environment variables of a guest; there are no others. `layers`: which locks its children need.

    `hash_seed`: a random one for each container, so that no function can know it; None: that of the environment.
    """
    own = {"CLEANROOM_DEADLINE_S": f"{lifetime_s:g}", "CLEANROOM_LAYERS": layers}
    if hash_seed is not None:
        own["PYTHONHASHSEED"] = str(hash_seed)
    light = _LIGHT if environment.light else {}
    return {**_IMAGE, **_VARIABLES[environment.lightened(light=False)], **own, **light, **dict.fromkeys(_THREADS, "1")}


def clock(environment: GuestEnvironment) -> dict[str, str]:
    """The variables that move the clock of a container of this environment, beside those of `guest_variables`."""
    return _CLOCK | {"FAKETIME": f"+{_MOVED_S[environment.lightened(light=False)]}"}
