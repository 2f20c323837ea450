"""Spaces, and whom they are shared with."""
