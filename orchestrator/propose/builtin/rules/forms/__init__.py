"""Rules for texts of a known form: ranges and sizes, lists, days and months by name, names of persons, addresses.

Each is a line of `rules/catalogue.py`, as the rules beside this folder are.
"""
