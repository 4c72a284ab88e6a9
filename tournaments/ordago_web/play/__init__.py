"""A seat for people: matches against bots of the house, played in a browser."""
