"""The roles that a language model plays: proposer, explorer, tester and planner."""
