"""Queries: what is asked, and what comes back."""
