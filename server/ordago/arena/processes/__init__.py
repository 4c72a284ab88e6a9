"""The processes of bots that are started here, and the processors that they run on."""
