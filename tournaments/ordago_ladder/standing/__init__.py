"""A standing ladder: rated play without an end, in epochs whose deals can be proved."""
