"""Which requests are answered, from whom, and how many."""
