"""Address books and contacts: cards are edited line by line, and what is not named keeps its bytes."""
