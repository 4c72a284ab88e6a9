"""Bot processes that the server starts, their sandboxes, and the processors that they run on."""
