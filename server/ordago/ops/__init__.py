"""Operation of a server: logs, metrics, health, and storage of records that survives failures of the disk."""
