"""The steps of the tables of accounts."""
