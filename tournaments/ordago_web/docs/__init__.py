"""The documentation as pages of the site: rules, protocol, faults, the first hour for each language, as they are."""
