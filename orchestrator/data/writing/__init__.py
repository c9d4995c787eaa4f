"""What texts are written with: letters that pass for others, symbols read as letters, the names of months."""
