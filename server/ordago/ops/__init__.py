"""What whoever operates a server needs of it: logs, metrics, health, and records that are kept through trouble."""
