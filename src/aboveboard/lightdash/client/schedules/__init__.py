"""Schedules: what is sent out by itself, and when."""
