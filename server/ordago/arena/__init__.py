"""Who is connected, who waits, and which matches run."""
