"""Rules for texts of a known form: ranges, lists, days, months, countries, currencies, names of persons, addresses, codes.

Each is a line of `rules/catalogue.py`, as the rules beside this folder are.
"""
