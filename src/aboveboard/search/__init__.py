"""Find by words and by meaning: texts cut into passages, an index for each person, models; it knows no service."""
