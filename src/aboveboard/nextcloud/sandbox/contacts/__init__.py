"""Address books: CardDAV as the real server speaks it, with its validation, repairs and conversions of cards."""
