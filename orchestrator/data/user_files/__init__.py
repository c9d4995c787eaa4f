"""What a user writes for a run: policy, conventions, examples."""
