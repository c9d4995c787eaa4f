"""What a sentence, a heading, a list or a marked-up text lost. Called by prose_laws.py."""
