"""Standing ladders: rated play that never closes."""
