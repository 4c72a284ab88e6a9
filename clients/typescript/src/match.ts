import { type GameCards, gameCards } from "./cards.js";
import type { ClockTerms } from "./ordago/v1/clock.js";
import type { FaultTerms } from "./ordago/v1/faults.js";
import type { GameOptions } from "./ordago/v1/games.js";
import type { MatchStart, Player } from "./ordago/v1/match.js";

/** A match, as one seat knows it from the beginning. */
export class Match {
  /** The message that announced it. */
  readonly start: MatchStart;

  /** Take over the message that announces the match. */
  constructor(start: MatchStart) {
    this.start = start;
  }

  /** The permanent name of the match. */
  get id(): string {
    return this.start.matchId;
  }

  /** The game, by its short name, for instance `mittlere`. */
  get game(): string {
    return this.start.game;
  }

  /** The options of the game; `optionsOf` returns them by the messages of the game. */
  get options(): GameOptions | undefined {
    return this.start.options;
  }

  /** The times of each seat, in milliseconds. */
  get clock(): ClockTerms | undefined {
    return this.start.clock;
  }

  /** The consequences of faults. */
  get faults(): FaultTerms | undefined {
    return this.start.faults;
  }

  /** A seed for the bot's own random numbers, 16 bytes; the chance of each decision is seeded by it. */
  get seed(): Uint8Array {
    return this.start.seed;
  }

  /** The seat of this bot, from 0. */
  get seat(): number {
    return this.start.seat;
  }

  /** All players in order of their seats, this one included. */
  get players(): readonly Player[] {
    return this.start.players;
  }

  /** The other seats of this side, in the order of play after this seat. */
  get partners(): readonly number[] {
    return this.#others.filter((seat) => this.#side(seat) === this.#side(this.seat));
  }

  /** The seats of other sides, in the order of play after this seat. */
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

  /** Return the seat that comes a number of seats after another in the order of play. */
  after(seat: number, steps = 1): number {
    return (seat + steps) % this.players.length;
  }

  /**
   * Return the name of the player at a seat.
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
