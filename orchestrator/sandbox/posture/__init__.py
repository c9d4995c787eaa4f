"""What a sandbox container may and may not do, as data, and the proof that the engine obeys it."""
