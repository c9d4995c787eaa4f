"""Heuristics that estimate whether changed cells still mean the same. For the check `keeps-information`."""
