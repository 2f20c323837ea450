"""The engine for many people and machines: PostgreSQL with pgvector; every row carries its person first."""
