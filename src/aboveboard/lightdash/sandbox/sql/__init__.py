"""SQL of one's own: the runner, saved SQL charts, virtual views."""
