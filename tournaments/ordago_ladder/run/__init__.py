"""Running an event: playing due matches, committing results, stopping and resuming."""
