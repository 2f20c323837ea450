"""Search by words and meaning over what a person has."""
