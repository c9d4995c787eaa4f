"""What a text lost, gained or had moved about: figures, letters, words, separators. For the laws of `information`."""
