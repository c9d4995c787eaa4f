"""Keeps pandas out of processes that need none: Arrow would import it at its first array, for 0.3 s and nothing.

Called where a process of our own begins, by the command line and by the disposable worker; never by the library, whose
process is its caller's.
"""

import sys


class _Refuses:
    """A finder that finds no pandas, which Arrow takes for an answer."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        del path, target
        if name == "pandas":
            raise ModuleNotFoundError("pandas is kept out of this process", name=name)


def keep_pandas_out() -> None:
    """From now on there is no pandas, unless it was imported before."""
    if "pandas" not in sys.modules and _Refuses not in sys.meta_path:
        sys.meta_path.insert(0, _Refuses)
