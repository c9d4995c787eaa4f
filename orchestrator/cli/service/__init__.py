"""`cleanroom serve`, `tokens` and `broker`: processes that go on until they are stopped, and who may use them."""
