"""Dashboards with their tiles, versions, comments and exports."""
