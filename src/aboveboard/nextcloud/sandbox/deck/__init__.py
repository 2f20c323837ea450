"""Deck: boards with stacks of cards, shared with people and groups."""
