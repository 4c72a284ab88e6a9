"""Settings of an event, as values."""
