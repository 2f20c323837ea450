"""The Cookbook app."""
