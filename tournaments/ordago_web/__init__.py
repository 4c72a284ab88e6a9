"""The site: ladders, events, replays, live tables and play for people, served apart from the server of matches."""
