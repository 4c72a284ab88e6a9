"""Rated tables: seating bots, playing matches, and writing down what becomes of them."""
