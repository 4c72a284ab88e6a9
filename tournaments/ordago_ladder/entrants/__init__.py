"""The bots of an event: started, built or remote, and what they may reach."""
