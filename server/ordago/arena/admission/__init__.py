"""From a new connection to a welcomed bot: who may come in, how many, and who may come back."""
