"""Asking, and what came of it: runs, results, values of fields, files to take away."""
