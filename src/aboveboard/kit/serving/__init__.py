"""The two ways to reach a server: standard input and output, and HTTP."""
