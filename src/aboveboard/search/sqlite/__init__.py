"""The default engine: SQLite from the standard library, a file for each person and identity."""
