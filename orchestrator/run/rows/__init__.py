"""What functions were given and made, held against contract and baseline. Used by `apply` and `check`."""
