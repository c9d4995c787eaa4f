"""Single characters that say something by form or place: raised figures, joiners, capitals of codes, a lost point."""
