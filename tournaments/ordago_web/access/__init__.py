"""Access to the site: rate limits, a fair queue and the sessions of visitors."""
