"""The schedule of an event: which entrants meet, how often, in which seats and in which order.

A *table* is a game with its entrants: one for each side, who takes all seats of the side, or, where partners are mixed,
one for each seat. A table plays *duplicate sets*: the same deals over a balanced set of seatings. Which tables play is
what formats differ in; everything else is the same for all of them.
"""
