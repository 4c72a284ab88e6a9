"""Telemetry of a running server: counters, and lines of the log."""
