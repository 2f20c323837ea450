"""SQL: the runner, and charts saved from it."""
