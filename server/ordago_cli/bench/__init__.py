"""The command ``ordago bench``: figures beside those of peers."""
