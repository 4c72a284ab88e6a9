"""Announcements: what happens in an event, sent to the URLs that its organiser names."""
