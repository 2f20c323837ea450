"""Explores, and the fields that the catalog knows of them."""
