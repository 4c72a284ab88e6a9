"""``ordago bench``: measurements of Ordago and its peers."""
