"""An event, in SQL."""
