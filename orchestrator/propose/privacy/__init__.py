"""What a model may see of the data: views, masking and the words that need no masking."""
