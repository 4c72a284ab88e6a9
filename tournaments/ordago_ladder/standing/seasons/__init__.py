"""Seasons of a standing ladder: stretches of epochs with ratings of their own."""
