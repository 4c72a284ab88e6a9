"""The schedule of an event: which entrants meet, how often, in which seats and in which order.

A *table* is a game with its entrants: one for each side, which takes all seats of the side, or, where partners are
mixed, one for each seat. A table plays *duplicate sets*: the same deals over a balanced set of seatings. Formats differ
only in the tables that they choose.
"""
