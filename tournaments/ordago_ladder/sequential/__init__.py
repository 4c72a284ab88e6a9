"""Sequential test that a bot is stronger than others, over duplicate sets; it stops as soon as it is sure.

All modules are pure except ``playing``, which plays the sets.
"""
