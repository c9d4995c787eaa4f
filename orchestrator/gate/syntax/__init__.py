"""What the screen asks of a syntax tree: names by scope, what may be used of each module, what may be called."""
