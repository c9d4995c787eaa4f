"""The environment of a guest process: environment variables and clock. Called by posture.py and local.py.

The two environments differ in everything that a function might wrongly depend on: hash seed, time zone, locale and, in
containers, the clock. Time zones are POSIX rules, so that they need no files. The wall clock stands still in each, by
libfaketime, which the image holds: a function that is applied finds the very moment at which it was judged, and nothing
can wait for a day to come. Deadlines go by the monotonic clock, which is right.
"""

import calendar

from orchestrator.core.jobs import GuestEnvironment

_VARIABLES = {
    GuestEnvironment.FIRST: {"PYTHONHASHSEED": "1", "TZ": "UTC0", "LC_ALL": "C.UTF-8"},
    GuestEnvironment.CONFIRM: {"PYTHONHASHSEED": "4242", "TZ": "<+0545>-5:45", "LC_ALL": "C"},
}
_LIGHT = {"CLEANROOM_LIGHT": "1"}  # the guest is ready without pandas
WALL_CLOCK = {
    GuestEnvironment.FIRST: calendar.timegm((2027, 3, 10, 9, 14, 25)),
    # Seven years and five months on: another year, month, weekday, hour and minute.
    GuestEnvironment.CONFIRM: calendar.timegm((2034, 8, 5, 16, 45, 38)),
}
"""The moment that every process of such a container finds, in seconds since 1970. Both are arbitrary, and never change:
a function was proved with them."""
_CLOCK = {
    "LD_PRELOAD": "/usr/lib/clock/libclock.so.1",
    "FAKETIME_CACHE_DURATION": "2000000000",  # read once: a child's environment is empty
    "FAKETIME_FMT": "%s",
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
    """The variables that stop the clock of a container of this environment, beside those of `guest_variables`."""
    return _CLOCK | {"FAKETIME": str(WALL_CLOCK[environment.lightened(light=False)])}
