"""Deck."""
