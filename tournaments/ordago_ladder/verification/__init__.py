"""The proof of what was published: records, and whole events, from nothing but a folder that nobody has to trust.

Nothing is imported here. Processes that share records among them begin with what proves a record, and what proves a
whole event takes five times as long to import.
"""
