"""Inputs that nobody's sample holds, drawn from what its columns look like, and the search for the smallest that fails.

Host side: `drawing` draws rows (cells of a kind in `cells`, `edits`), `plan` makes cases of them, `trial` runs and
judges them, `shrink` looks for a smaller failure. In the judge's process: `laws`, called by the check `properties`.
"""
