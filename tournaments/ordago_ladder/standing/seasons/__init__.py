"""Seasons of a standing ladder: runs of epochs, each with ratings of its own."""
