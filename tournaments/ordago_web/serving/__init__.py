"""The web server of a site, in a process of its own."""
