"""`cleanroom serve`, `broker`, `worker`, `cluster`, `tokens`: what runs until it is stopped, and who may use it."""
