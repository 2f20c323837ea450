"""AI agents, their conversations and evaluations."""
