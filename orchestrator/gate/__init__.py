"""Screen, cases, checks, judge, verdict: what a candidate must survive."""
