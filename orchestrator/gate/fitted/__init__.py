"""What is judged of a fitted function before its `transform`: that what it learns of parts adds up to the whole."""
