"""Lightdash's own OAuth: clients, a page on which a person approves, and tokens that act as them."""
