"""The red team: known attacks as data, and what runs them against this machine's sandbox (docs/redteam.md)."""
