"""AI agents, which an instance has with a licence, and what else only a licence brings."""
