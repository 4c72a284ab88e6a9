"""Events and standing ladders: schedules, ratings and the published files."""
