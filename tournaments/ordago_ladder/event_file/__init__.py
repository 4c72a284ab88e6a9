"""Reader of event files, which explains mistakes in sentences."""
