"""What stands in a prompt: templates, column profiles, chosen rows, fenced data."""
