"""Inputs that the sample does not hold, drawn from its column profiles, and the search for the smallest that fails.

Host side: `row_drawing` draws rows (their cells: `cell_strategies`, `edits`), `plan` makes cases of them,
`property_runner` runs and judges them, `loads` measures how the cost grows, `shrink` looks for a smaller failure. In
the judge's process: `property_laws`, called by the check `properties`, and `shrink_judging`.
"""
