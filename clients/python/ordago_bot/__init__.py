"""Write a bot for Ordago in Python."""
