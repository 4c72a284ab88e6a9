"""Referees in processes of their own, so that the matches of one server use many processors."""
