"""The HTML pages of an event."""
