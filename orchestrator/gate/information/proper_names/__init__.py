"""Names of people and of companies: what belongs to them and goes or moves."""
