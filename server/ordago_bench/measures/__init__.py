"""Instruments: latencies, processor time, the machine."""
