"""Workers: processes, on this machine or on others, that play the matches of an event for its runner."""
