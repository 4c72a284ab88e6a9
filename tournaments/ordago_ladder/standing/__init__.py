"""A standing ladder: rated play that never closes, in epochs whose deals can be proved."""
