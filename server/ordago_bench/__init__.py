"""Figures that anybody can measure again: each beside a peer, in one run on one machine."""
