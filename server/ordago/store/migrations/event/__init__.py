"""The steps of the tables of an event."""
