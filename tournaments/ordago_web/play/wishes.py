"""The match that a person wants to play, parsed from a form."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from ordago.game import OptionError
from ordago.games import UnknownGameError, find_game, game_names
from ordago.games.definition import AnyGame
from ordago.names import composed, is_plain_name, looks_like_one_of, misleads, name_key, quoted
from ordago.scene import Sentence, english, sentence
from ordago_web.play.opponents import DEFAULT_STRENGTH, NAMES, STRENGTHS

_AS_SET: Final = "set"
"""The length that stands for options set one by one."""


class WishError(ValueError):
    """A wish that cannot be played. The person, or the author of the form, erred."""


DEFAULT_LENGTH: Final = "default"
"""The length of a match with the default options of its game."""


class Length(NamedTuple):
    """Options that give a match of some length."""

    title: Sentence
    options: Mapping[str, object]


_LENGTHS: Final[Mapping[str, Mapping[str, Length]]] = MappingProxyType(
    {
        "mitaines": {
            "short": Length(sentence("One deal"), {"max_deals": 1}),
            "medium": Length(sentence("To 250 points"), {"target": 250}),
            "default": Length(sentence("To 500 points"), {}),
        },
        "mitigati": {
            "short": Length(sentence("One bargain each"), {"max_struck": 1}),
            "medium": Length(sentence("Two bargains each"), {"max_struck": 2}),
            "default": Length(sentence("The whole round"), {}),
        },
        "mittlere": {
            "short": Length(sentence("3 deals"), {"deals": 3}),
            "medium": Length(sentence("6 deals"), {"deals": 6}),
            "default": Length(sentence("12 deals"), {}),
        },
        "mus": {
            "short": Length(sentence("A game to 20"), {"target": 20}),
            "default": Length(sentence("A game to 40"), {}),
            "long": Length(sentence("Best of three games"), {"games": 3}),
        },
        "taihe": {
            "short": Length(sentence("2 deals"), {"deals": 2}),
            "medium": Length(sentence("5 deals"), {"deals": 5}),
            "default": Length(sentence("12 deals"), {}),
        },
    }
)
FRIEND: Final = "friend"
"""The strength of an opponent that stands for a person, who comes by a link."""
_DEFAULT_LENGTHS: Final = MappingProxyType({DEFAULT_LENGTH: Length(sentence("By default"), {})})


class Wish(NamedTuple):
    """A match that can be played."""

    game: AnyGame
    options: Mapping[str, object]
    seat: int
    """The seat of the person."""
    names: tuple[str, ...]
    """The names of the players, by seat."""
    strengths: tuple[str, ...]
    """The strengths of the bots, by seat; empty for a person at the table, ``FRIEND`` for one that may still come."""

    @property
    def free(self) -> Sequence[int]:
        """The seats at which friends may still sit down."""
        return [seat for seat, strength in enumerate(self.strengths) if strength == FRIEND]

    def seated(self, seat: int, name: str) -> "Wish":
        """Return the wish with a friend at a seat, as the friend sees it.

        Raises:
            WishError: the name cannot be told from another at the table.
        """
        name = read_name(name)
        others = [other for place, other in enumerate(self.names) if place != seat]
        if looks_like_one_of(name, others):
            raise WishError(
                english("The name {name} looks like another at this table: choose another name.", name=quoted(name))
            )
        return self._replace(seat=seat, names=_with(self.names, seat, name), strengths=_with(self.strengths, seat, ""))

    @property
    def complete(self) -> "Wish":
        """The wish with house bots at the seats that are still free."""
        strengths = (DEFAULT_STRENGTH if strength == FRIEND else strength for strength in self.strengths)
        return self._replace(strengths=tuple(strengths))

    @property
    def again(self) -> "Wish":
        """The wish for another such match, with free seats for the other people."""
        own = self.names[self.seat]
        others = [strength or FRIEND for strength in _from(self.seat, self.strengths)[1:]]
        return self._replace(
            names=_around(self.seat, own, _opponents(own, len(others))), strengths=_around(self.seat, "", others)
        )


def played_games() -> list[AnyGame]:
    """Return the games that this site can show, and so offer."""
    return [game for game in map(find_game, game_names()) if game.staging.faces]


def lengths_of(game: AnyGame) -> Mapping[str, Length]:
    """Return the lengths offered for a game, shortest first."""
    return _LENGTHS.get(game.name, _DEFAULT_LENGTHS)


def read_wish(form: Mapping[str, str]) -> Wish:
    """Parse a form. Absent fields have their default values.

    The fields: ``game``, ``players``, ``seat`` (from 1; empty for a random one), ``name``, ``length`` (one of those
    offered, or ``set`` for the fields ``option-NAME``), and ``opponent-1``, …: strengths in the order of play after the
    person, or ``friend``.

    Raises:
        WishError: the match cannot be played.
    """
    game = _game(form)
    players = _number(form, "players", game.rules.seat_counts[0], allowed=game.rules.seat_counts)
    by_chance = secrets.randbelow(players) + 1
    seat = _number(form, "seat", by_chance, allowed=range(1, players + 1)) - 1
    others = [_strength(form, f"opponent-{number}") for number in range(1, players)]
    name = read_name(form.get("name", ""))
    named = _opponents(name, players - 1)
    return Wish(
        game=game,
        options=_options(form, game),
        seat=seat,
        names=_around(seat, name, named),
        strengths=_around(seat, "", others),
    )


def _around(seat: int, own: str, others: list[str]) -> tuple[str, ...]:
    """Return values by seat, from that of the person and those of the others in the order of play."""
    turned = [own, *others]
    return tuple(turned[(place - seat) % len(turned)] for place in range(len(turned)))


def _from(seat: int, values: tuple[str, ...]) -> list[str]:
    """Return values by seat in the order of play, that of the seat first."""
    return [*values[seat:], *values[:seat]]


def _with(values: tuple[str, ...], seat: int, value: str) -> tuple[str, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def _game(form: Mapping[str, str]) -> AnyGame:
    try:
        game = find_game(form.get("game", ""))
    except UnknownGameError as error:
        raise WishError(str(error)) from None
    if not game.staging.faces:
        raise WishError(english("{game} has no table here, and cannot be played.", game=game.rules.title))
    return game


def _number(form: Mapping[str, str], field: str, otherwise: int, *, allowed: range | tuple[int, ...]) -> int:
    text = form.get(field, "")
    if not text:
        return otherwise
    if not (text.isascii() and text.isdigit() and len(text) < 4 and int(text) in allowed):
        raise WishError(_one_of(field, map(str, allowed), text))
    return int(text)


def _one_of(field: str, allowed: Iterable[str], text: str) -> str:
    return english(
        "{field} takes one of {names}, not {text}.", field=field, names=", ".join(allowed), text=quoted(text)
    )


def _strength(form: Mapping[str, str], field: str) -> str:
    strength = form.get(field) or DEFAULT_STRENGTH
    if strength not in STRENGTHS and strength != FRIEND:
        raise WishError(_one_of(field, [*STRENGTHS, FRIEND], strength))
    return strength


def read_name(text: str) -> str:
    """Return the name of a person as it is shown.

    Raises:
        WishError: it is no name.
    """
    name = composed(text.strip()) or "Guest"
    if not is_plain_name(name) or misleads(name):
        raise WishError(
            english(
                "A name has letters of one alphabet, digits, spaces and . _ + -, 64 characters at most, unlike {name}.",
                name=quoted(name),
            )
        )
    return name


def _opponents(name: str, number: int) -> list[str]:
    return [other for other in NAMES if name_key(other) != name_key(name)][:number]


def _options(form: Mapping[str, str], game: AnyGame) -> Mapping[str, object]:
    length = form.get("length") or DEFAULT_LENGTH
    if length == _AS_SET:
        specs = game.rules.option_specs
        values = {spec.name: form[f"option-{spec.name}"] for spec in specs if f"option-{spec.name}" in form}
        options: Mapping[str, object] = values
    elif length in lengths_of(game):
        options = lengths_of(game)[length].options
    else:
        raise WishError(_one_of("length", [*lengths_of(game), _AS_SET], length))
    try:
        game.rules.options(options)
    except OptionError as error:
        raise WishError(english("The option {name} does not take this value.", name=quoted(error.name))) from None
    return options
