"""Deliveries on a schedule, their runs, and the jobs that work in the background."""
