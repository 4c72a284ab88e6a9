"""What holds for all tests."""

from hypothesis import settings

# The same examples on every machine and in every run, and no failure because a machine is busy.
settings.register_profile("ordago", derandomize=True, deadline=None, database=None)
settings.load_profile("ordago")
