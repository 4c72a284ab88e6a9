"""Running an event: what is due, playing, committing, stopping and going on."""
