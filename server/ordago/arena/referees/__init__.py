"""Referees in processes of their own: a server on many processors plays its matches there, and keeps all else."""
