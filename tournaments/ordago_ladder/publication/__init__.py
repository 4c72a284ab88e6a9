"""Files that are published of an event, and reading them back."""
