"""A standing ladder, in SQL."""
