"""What a ladder can be asked, as JSON over HTTP: the calls of the contract, under ``/api/v1/``."""
