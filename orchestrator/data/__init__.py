"""Files as typed rows: formats, chunks, sampling, quality; and hostile bytes decoded into checked tables."""
