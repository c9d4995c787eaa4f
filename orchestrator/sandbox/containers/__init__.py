"""Containers: the engine, the pool, the streams and frames, and the Sandbox port over them."""
