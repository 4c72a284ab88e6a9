"""Serialized messages, joined from parts and read without protobuf message objects.

Values and messages would be enough, and protobuf would convert the one into the other. This package exists because
that costs too much. Where decisions, events and entries are made as messages and serialized, a match of Mittlere Jass
takes 530,000 instructions for each decision with the sources; joined from parts it takes 184,000. (Referee, rules and
record together, without a network, counted by valgrind.) Choices read by protobuf took a compiled server 13,000
instructions more, a fifth of what a decision takes it; the sources read them as quickly either way (17,500 and 16,300).

It rests on three ideas:

- **Fields are concatenated.** Serialized fields in the order of their numbers are the serialized message, byte for
  byte (``fields``). So a message is joined from parts.
- **Parts recur.** Actions, public events, offers and most fields of a view are the same few in all matches of a game.
  They are serialized once, and found again by their value (``ordago.cache``) or by their identity (``parts``).
- **Unusual encodings are left to protobuf.** Choices (``frames``) and entries of records (``known_entries``) are read
  from their bytes where they are encoded as all libraries encode them, and as messages where they are not. So no bot
  can gain anything from an unusual encoding.

======================  ================================================================================================
``fields``              numbers, lengths and lists as protobuf writes them
``parts``               parts by the identity of their values
``codec``               the interface of a game to the wire: a protocol
``mirror``              values and messages with the same fields, checked and converted
``value_serializer``    values as bytes, field by field
``slots``               the places of a game's messages in the unions of the contract
``mirror_codec``        the codec that all games share, made of these three
``decision_parts``      decisions and acceptances, joined from parts
``frames``              frames of one connection, written, and read where they hold choices
``entries``             entries of records, written
``known_entries``       entries of records, read
======================  ================================================================================================

The rest of Ordago hands values in and passes bytes on. Two others look into bytes: ``record.rewriting``, which compares
a file with what follows from its choices, and ``journal``, whose pages are what was written of a match, joined.
"""
