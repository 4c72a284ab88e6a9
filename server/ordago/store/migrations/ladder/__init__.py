"""The steps of the tables of a standing ladder."""
