"""Writes `cleaning_functions.py`: promoted functions as one file that runs without cleanroom."""
