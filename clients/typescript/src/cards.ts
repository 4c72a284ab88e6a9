/**
 * Names and signs of cards, and their values in each game.
 *
 * @module ordago/cards
 */
import * as facts from "./facts.js";
import type { Card, Suit } from "./ordago/v1/cards.js";

interface CardFacts {
  readonly suit: number;
  readonly rank: number;
  readonly sign: string;
  readonly name: string;
}

interface ValuesFacts {
  readonly heights: readonly number[];
  readonly points: readonly number[];
}

interface GameFacts<Name extends string> {
  readonly game: string;
  readonly pack: readonly number[];
  readonly held: readonly number[];
  readonly values: Readonly<Record<Name, ValuesFacts>>;
}

const CARDS: Readonly<Record<number, CardFacts>> = facts.CARDS;

/** Return the suit of a card; `Suit.SUIT_UNSPECIFIED` for the Fool, and for a card that is unknown here. */
export function suit(card: Card): Suit {
  return CARDS[card]?.suit ?? 0;
}

/** Return the rank of a card within its suit, from 1; 0 for the Fool, and for a card that is unknown here. */
export function rank(card: Card): number {
  return CARDS[card]?.rank ?? 0;
}

/** Return the sign of a card, for instance `10♥`; `?` if it is unknown here. */
export function sign(card: Card): string {
  return CARDS[card]?.sign ?? "?";
}

/** Return the name of a card, for instance `ten of hearts`. */
export function name(card: Card): string {
  return CARDS[card]?.name ?? `card ${card}`;
}

/** The values of the cards of a game under a condition, such as being trump. */
export class Values {
  readonly #heights: ReadonlyMap<number, number>;
  readonly #points: ReadonlyMap<number, number>;

  /** Assign heights and points to the cards of a pack. */
  constructor(pack: readonly number[], { heights, points }: ValuesFacts) {
    this.#heights = new Map(pack.map((card, index) => [card, heights[index] ?? 0]));
    this.#points = new Map(pack.map((card, index) => [card, points[index] ?? 0]));
  }

  /**
   * Return the height of a card, from 0 for the lowest; equal cards have equal heights.
   *
   * @throws RangeError if it is no card of the game
   */
  height(card: Card): number {
    return known(this.#heights.get(card), card);
  }

  /**
   * Return the points of a card.
   *
   * @throws RangeError if it is no card of the game
   */
  points(card: Card): number {
    return known(this.#points.get(card), card);
  }
}

/** The cards of a game. */
export class GameCards<Name extends string = string> {
  /** The short name of the game, for instance `mittlere`. */
  readonly game: string;
  /** Its cards, ascending by code. */
  readonly pack: readonly Card[];
  readonly #places: ReadonlyMap<number, number>;
  readonly #values: ReadonlyMap<string, Values>;

  /** Index the cards of a game. */
  constructor({ game, pack, held, values }: GameFacts<Name>) {
    this.game = game;
    this.pack = pack;
    this.#places = new Map(held.map((card, place) => [card, place]));
    this.#values = new Map(Object.entries<ValuesFacts>(values).map(([name, each]) => [name, new Values(pack, each)]));
  }

  /** Return cards in the order in which a player holds them. Unknown ones come last, by their codes. */
  sorted(cards: readonly Card[]): Card[] {
    const place = (card: Card) => this.#places.get(card) ?? this.pack.length + card;
    return [...cards].sort((one, other) => place(one) - place(other));
  }

  /**
   * Return the values of the cards under a condition, by its name.
   *
   * @throws RangeError if there is none of that name
   */
  values(name: Name): Values {
    const values = this.#values.get(name);
    if (values === undefined) {
      throw new RangeError(`${this.game} has no values ${name}, but ${[...this.#values.keys()].join(", ")}`);
    }
    return values;
  }
}

/** The cards of Mus. */
export const MUS = new GameCards(facts.MUS);
/** The cards of Mitaines. */
export const MITAINES = new GameCards(facts.MITAINES);
/** The cards of Mitigati. */
export const MITIGATI = new GameCards(facts.MITIGATI);
/** The cards of Mittlere Jass. */
export const MITTLERE = new GameCards(facts.MITTLERE);
/** The cards of Taihe A Bao. */
export const TAIHE = new GameCards(facts.TAIHE);

const GAMES: ReadonlyMap<string, GameCards> = new Map(
  [MUS, MITAINES, MITIGATI, MITTLERE, TAIHE].map((cards) => [cards.game, cards as GameCards]),
);

/**
 * Return the cards of a game by its short name. For a game known beforehand there is a constant.
 *
 * @throws RangeError if it is unknown here
 */
export function gameCards(game: string): GameCards {
  const cards = GAMES.get(game);
  if (cards === undefined) {
    throw new RangeError(`the cards of ${game} are unknown here, but those of ${[...GAMES.keys()].join(", ")}`);
  }
  return cards;
}

function known(value: number | undefined, card: Card): number {
  if (value === undefined) {
    throw new RangeError(`${name(card)} is no card of this game`);
  }
  return value;
}
