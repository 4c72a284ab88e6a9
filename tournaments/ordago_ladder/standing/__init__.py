"""Standing ladders: rated play at any hour."""
