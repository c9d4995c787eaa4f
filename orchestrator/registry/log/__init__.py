"""The audit log: every promotion, approval and change of status, signed, in a Merkle tree that can only grow."""
