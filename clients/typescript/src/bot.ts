import { type Choosable, defaultAnswer } from "./answers.js";
import type { Chance } from "./chance.js";
import type { Decision } from "./decision.js";
import type { Match } from "./match.js";
import type { Forfeited, MatchEnd, Refused } from "./ordago/v1/match.js";

/** A choice, at once or later: while a bot thinks, other matches go on. */
export type Thought = Choosable | PromiseLike<Choosable>;

/** A function that makes the bot for one seat of one match, at once or later. */
export type BotFactory = (match: Match) => Bot | PromiseLike<Bot>;

/**
 * A bot for one seat of one match. Each match has an object of its own, so its fields belong to that match alone. Its
 * methods are called in order, and never while a promise of one of them is pending.
 */
export abstract class Bot {
  /** The match, as this seat knows it. */
  readonly match: Match;
  #retiring = false;

  /** Begin a match. */
  constructor(match: Match) {
    this.match = match;
  }

  /** True if this bot called `retire`. */
  get retiring(): boolean {
    return this.#retiring;
  }

  /**
   * Answer a decision.
   *
   * The decision is complete: its `view` is all that the seat sees, its `actions` are all that is legal. The chance is
   * seeded anew for each decision, by the seed of the match and the number of the decision. So a bot that decides by
   * the view and this chance alone repeats its play when the match is repeated, or when a new process takes over.
   *
   * `decision.timeLeft()` says how long it may take. A bot that calls a service returns a promise; one that computes for
   * long sets `threads` in the options of `run`. If the decision is closed meanwhile, the answer is dropped.
   */
  abstract choose(decision: Decision, chance: Chance): Thought;

  /** Answer a decision again after the server refused the answer: with the default answer, unless overridden. */
  refused(decision: Decision, _refusal: Refused, _chance: Chance): Thought {
    return defaultAnswer(decision);
  }

  /** Learn that the seat is forfeited. It gets no more decisions; `ended` follows when the match is over. */
  forfeited(_notice: Forfeited): void | PromiseLike<void> {}

  /** Learn that the match is over, and its outcome. */
  ended(_end: MatchEnd): void | PromiseLike<void> {}

  /**
   * Take no more seats: this process finishes its running matches, then ends.
   *
   * The server learns it with the next answer, or when the match is over. A match that begins meanwhile is played too.
   */
  retire(): void {
    this.#retiring = true;
  }
}
