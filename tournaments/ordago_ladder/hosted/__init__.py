"""Events that a running server plays beside its tables."""
