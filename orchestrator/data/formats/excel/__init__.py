"""Spreadsheets: read in a confined process, written anew or cell by cell into the file that was read."""
