"""Benchmarks: reproducible figures, each measured together with a peer in one run on one machine."""
