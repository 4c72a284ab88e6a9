"""Published files of an event: writing them, and reading them back."""
