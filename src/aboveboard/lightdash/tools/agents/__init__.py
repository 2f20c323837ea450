"""AI agents."""
