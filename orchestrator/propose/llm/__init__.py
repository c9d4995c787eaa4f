"""Clients of language models: LiteLLM, recordings, retries and budgets behind one port."""
