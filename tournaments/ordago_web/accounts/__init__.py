"""The pages of authors: signing in, bots and tokens."""
