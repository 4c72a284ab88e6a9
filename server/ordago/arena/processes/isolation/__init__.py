"""Shutting a bot in: what its processes may reach, and what the kernel is told so that they reach nothing else."""
