"""Running text: plain text, Markdown, and documents that become Markdown."""
