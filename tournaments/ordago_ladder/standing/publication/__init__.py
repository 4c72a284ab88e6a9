"""The process that rates a ladder and publishes its epochs and standings."""
