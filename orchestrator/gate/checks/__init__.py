"""The checks, one module each, listed in `catalog`. Each looks at observations and says what it found."""
