"""The organisation and its settings, and the health of the instance."""
