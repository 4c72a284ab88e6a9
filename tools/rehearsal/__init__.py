"""A rehearsal of a release: publish everything to a local registry, and install it from there as a stranger does."""
