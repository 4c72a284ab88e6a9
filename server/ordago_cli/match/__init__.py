"""Commands for single matches and their records."""
