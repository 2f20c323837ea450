"""The first state: a small shop, and a rival next door."""
