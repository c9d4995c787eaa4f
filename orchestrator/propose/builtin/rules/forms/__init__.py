"""Rules for texts of a known form: ranges, lists, codes, persons, addresses; days, months, countries and currencies.

Each is a line of `rules/catalogue.py`, as the rules beside this folder are.
"""
