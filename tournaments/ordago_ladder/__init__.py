"""Events and ladders: schedules, ratings and what is published of them."""
