"""Heuristics that tell whether changed cells still say what they said. For the check `keeps-information`."""
