"""Dashboards, and their filters in words."""
