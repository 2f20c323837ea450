"""The first state: two people, what they keep, and what they share with each other."""
