"""Changed columns before and after, as the check on information looks at them; no checks themselves."""
