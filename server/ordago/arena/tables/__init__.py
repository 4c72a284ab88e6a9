"""Tables that bots are seated at: casual ones, and what all kinds share."""
