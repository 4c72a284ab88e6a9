"""The site: ladders, events, replays, live tables, and a seat for people, by a server beside that of the matches."""
