"""The model side: prompts, replies, model client, and the built-in rules."""
