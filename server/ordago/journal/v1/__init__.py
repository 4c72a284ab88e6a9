"""The entries of a journal, as ``proto/ordago/journal/v1`` defines them. They are never sent.

The module beside this one is generated; ``make proto`` makes it anew.
"""

from ordago.journal.v1.journal_pb2 import *
