"""The command line. Thin: parse, call, render. Imports heavy libraries only inside commands."""
