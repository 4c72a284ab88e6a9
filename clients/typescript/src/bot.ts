import { type Choosable, defaultAnswer } from "./answers.js";
import type { Chance } from "./chance.js";
import type { Match } from "./match.js";
import type { Decision } from "./ordago/v1/decision.js";
import type { Forfeited, MatchEnd, Refused } from "./ordago/v1/match.js";

/** What a bot chooses, at once or later: while it thinks, other matches go on. */
export type Thought = Choosable | PromiseLike<Choosable>;

/** Makes the bot that plays one seat of one match. */
export type BotFactory = (match: Match) => Bot;

/** Plays one seat of one match. A new object is made for each, so whatever it keeps belongs to that match. */
export abstract class Bot {
  /** What is known of the match. */
  readonly match: Match;
  #retiring = false;

  /** Begins a match. */
  constructor(match: Match) {
    this.match = match;
  }

  /** Whether this bot called `retire`. */
  get retiring(): boolean {
    return this.#retiring;
  }

  /**
   * Answers a decision.
   *
   * The decision is complete: its `view` is all that the seat sees, `actions` all that is legal. The chance begins anew
   * with each decision, from the seed of the match and the number of the decision. So a bot that draws from it alone,
   * and decides by the view alone, plays the same whenever the same match is played again, and also when a new process
   * carries on a match in the middle.
   *
   * A bot that thinks in a worker or asks somebody returns a promise. Of several that it owes, since a decision was
   * closed before it had answered, the last one counts.
   */
  abstract choose(decision: Decision, chance: Chance): Thought;

  /** Answers a decision again after the server refused the answer. It takes the default unless overridden. */
  refused(decision: Decision, _refusal: Refused, _chance: Chance): Thought {
    return defaultAnswer(decision);
  }

  /** Learns that the seat is forfeited: it is asked no more, and `ended` follows when the match is over. */
  forfeited(_notice: Forfeited): void {}

  /** Learns how the match ended. */
  ended(_end: MatchEnd): void {}

  /**
   * Takes no more seats: all running matches of this process are played to their end, then it ends.
   *
   * It is said with the next answer, or when the match is over; a match that begins at the same time is played too.
   */
  retire(): void {
    this.#retiring = true;
  }
}
