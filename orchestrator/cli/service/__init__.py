"""`cleanroom serve`, `broker`, `worker`, `cluster` and `tokens`: processes that run until stopped, and who may use them."""
