"""What the decoder's process imports: `decode_entry`, after Arrow was told to do without pandas. Named by
`decode_entry.ENTRY`.
"""

import orchestrator.data.arrow_in_helper  # noqa: F401 - before the others use Arrow
from orchestrator.data.hostile.decode_entry import MORE_NEEDED, decode, load_more, warm

__all__ = ["MORE_NEEDED", "decode", "load_more", "warm"]
