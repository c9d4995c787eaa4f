"""`cleanroom parse`: files of any format as rows, read by a parser that was judged on them."""
