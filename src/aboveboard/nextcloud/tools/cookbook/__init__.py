"""Cookbook."""
