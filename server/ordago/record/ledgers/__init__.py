"""Ledgers of events and of epochs, and the receipts of bots."""
