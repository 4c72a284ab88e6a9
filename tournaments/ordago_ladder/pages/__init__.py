"""Pages of an event for people."""
