"""Reading the file of an event, and its mistakes in sentences."""
