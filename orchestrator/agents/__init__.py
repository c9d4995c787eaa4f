"""`cleanroom mcp`: tools for agents, over the Model Context Protocol."""
