"""The proof of what was published: records, and whole events, from nothing but a folder that nobody has to trust."""

from ordago_ladder.verification.event import verify_folder
from ordago_ladder.verification.findings import Finding, NoEventError, Verdict, Verification
from ordago_ladder.verification.records import holds_records, verify_file, verify_records
from ordago_ladder.verification.sharing import processors

__all__ = [
    "Finding",
    "NoEventError",
    "Verdict",
    "Verification",
    "holds_records",
    "processors",
    "verify_file",
    "verify_folder",
    "verify_records",
]
