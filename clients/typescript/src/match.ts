import { type GameCards, gameCards } from "./cards.js";
import type { ClockTerms } from "./ordago/v1/clock.js";
import type { FaultTerms } from "./ordago/v1/faults.js";
import type { GameOptions } from "./ordago/v1/games.js";
import type { MatchStart, Player } from "./ordago/v1/match.js";

/** What is known of a match from its beginning, as one seat knows it. */
export class Match {
  /** All of it, as the server told it. */
  readonly start: MatchStart;

  /** Knows what the beginning of a match tells. */
  constructor(start: MatchStart) {
    this.start = start;
  }

  /** The name of the match for ever. */
  get id(): string {
    return this.start.matchId;
  }

  /** The game, by its short name, for instance `mittlere`. */
  get game(): string {
    return this.start.game;
  }

  /** The options that it is played with; `optionsOf` reads them by the messages of a game. */
  get options(): GameOptions | undefined {
    return this.start.options;
  }

  /** The time that each seat has, in milliseconds. */
  get clock(): ClockTerms | undefined {
    return this.start.clock;
  }

  /** What comes of faults. */
  get faults(): FaultTerms | undefined {
    return this.start.faults;
  }

  /** A seed for the bot's own chance, 16 bytes, of which the chance of each decision comes. */
  get seed(): Uint8Array {
    return this.start.seed;
  }

  /** My seat, from 0. */
  get seat(): number {
    return this.start.seat;
  }

  /** All players in order of their seats, me among them. */
  get players(): readonly Player[] {
    return this.start.players;
  }

  /** The seats that play on my side, mine left out, in the order of play after me. */
  get partners(): readonly number[] {
    return this.#others.filter((seat) => this.#side(seat) === this.#side(this.seat));
  }

  /** The seats that play on other sides, in the order of play after me. */
  get opponents(): readonly number[] {
    return this.#others.filter((seat) => this.#side(seat) !== this.#side(this.seat));
  }

  /**
   * The cards of the game.
   *
   * @throws RangeError if this SDK does not know the game
   */
  get cards(): GameCards {
    return gameCards(this.game);
  }

  /** Returns the seat that comes so many seats after another in the order of play. */
  after(seat: number, steps = 1): number {
    return (seat + steps) % this.players.length;
  }

  /**
   * Returns the name of whoever sits at a seat.
   *
   * @throws RangeError if there is no such seat
   */
  nameOf(seat: number): string {
    const player = this.players[seat];
    if (player === undefined) {
      throw new RangeError(`there is no seat ${seat} in a match of ${this.players.length} seats`);
    }
    return player.name;
  }

  get #others(): number[] {
    return this.players.slice(1).map((_, index) => this.after(this.seat, index + 1));
  }

  #side(seat: number): number | undefined {
    return this.players[seat]?.side;
  }
}
