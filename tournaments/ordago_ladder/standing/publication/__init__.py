"""Rating a ladder, publishing its epochs, and giving up old records."""
