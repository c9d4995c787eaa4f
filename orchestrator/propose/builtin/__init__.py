"""The built-in proposer: rules instead of a language model. Wired by bootstrap as `--model builtin`."""

from orchestrator.propose.builtin.builtin_proposer import BuiltinProposer

__all__ = ["BuiltinProposer"]
