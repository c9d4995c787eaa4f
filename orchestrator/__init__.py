"""cleanroom: proved data-cleaning functions, run only inside locked-down containers."""

__version__ = "0.1.0"
