"""What choices cost in a match that a site shows, worked out on demand beside the site and kept."""
