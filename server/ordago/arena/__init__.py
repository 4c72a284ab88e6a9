"""Who is connected, who waits, and which matches run."""

import logging

# What is logged here goes where a program sends it; where none does, nowhere.
logging.getLogger("ordago").addHandler(logging.NullHandler())
