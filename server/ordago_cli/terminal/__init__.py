"""Output for people and programs: streams, tables, JSON lines."""
