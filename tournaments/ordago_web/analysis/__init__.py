"""Costs of the choices in a match, computed on demand in processes of their own and cached."""
