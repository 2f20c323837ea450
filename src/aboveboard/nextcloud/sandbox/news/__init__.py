"""The News app."""
