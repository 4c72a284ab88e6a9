"""What a running server tells of itself: counters, and lines of the log."""
