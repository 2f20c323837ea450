"""Shares, public links and their passwords."""
