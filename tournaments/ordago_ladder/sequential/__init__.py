"""Is one bot stronger than others? A test over duplicate sets that ends as soon as it knows.

All of it is pure but ``playing``, which plays the sets.
"""
