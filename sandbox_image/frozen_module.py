"""A module whose names cannot be set: the helper modules that functions share. Called by warmup.py.

What one function changed there would reach the next one in the same process. It is no lock (a child that is out for it
finds another way, and reaches nobody but itself): it keeps accidents out, and tells the candidate in whose code they
are. The exported `cleaning_functions.py` holds a copy of this text (registry/export).
"""

from types import ModuleType


class FrozenModule(ModuleType):
    """As a module, but for setting and deleting."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{self.__name__} cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{self.__name__} cannot be changed")


def freeze(module: ModuleType) -> None:
    """From now on no name of the module can be set or deleted."""
    if isinstance(module, FrozenModule):
        return  # the image's archive is written after a second warm-up
    module.__class__ = FrozenModule
