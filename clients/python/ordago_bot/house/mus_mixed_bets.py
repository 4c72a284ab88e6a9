"""Bets of Mus drawn from the trained tables by their chances: harder to read than the likeliest, but weaker so far."""

from functools import partial

from ordago_bot.house import mus_bets

choose = partial(mus_bets.choose, mixed=True)
