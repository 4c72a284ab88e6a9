"""The encodings of the games, one module for each."""
