"""Commands for the operator of a running server: announcements, pauses of seating, and sessions."""
