import { Chance } from "./chance.js";
import type { Answer, Decision } from "./ordago/v1/decision.js";
import type { Choice, MatchStart, Refused } from "./ordago/v1/match.js";

/**
 * Answers a decision. What it draws from chance depends on the match, the seat and the number of the decision alone,
 * so that a match that is played again, or carried on by another process, is played the same.
 */
export type Choose = (decision: Decision, chance: Chance) => Answer;

/** An answer that is ready to be sent. */
export interface Reply {
  readonly choice: Choice;
  /** When the decision came, in milliseconds by the clock of the player. */
  readonly askedMs: number;
}

/**
 * What is kept of one match, over all connections of the session. A decision may come again: after a broken connection,
 * or because the server lost time. Its answer is kept and sent again, so that the server is never told two things.
 */
export class Seat {
  readonly start: MatchStart;
  #number = 0;
  #answer: Answer | undefined;
  #open: Decision | undefined;
  #askedMs = 0;
  #closed = 0;
  readonly #refusals = new Set<string>();

  constructor(start: MatchStart) {
    this.start = start;
  }

  /** The number of the last decision that came; 0 if none did. */
  get number(): number {
    return this.#number;
  }

  /** Says whether a match that is announced is this one, at no earlier point than the bot has seen. */
  carriesOn({ matchId, lastDecision }: MatchStart): boolean {
    return matchId === this.start.matchId && lastDecision + 1 >= this.#number;
  }

  /** Goes on over another connection, where the decision that is open will come again. */
  disconnect(): void {
    this.#open = undefined;
  }

  decide(choose: Choose, decision: Decision, arrivedMs: number): Reply {
    this.#open = decision;
    this.#askedMs = arrivedMs;
    if (decision.number !== this.#number) {
      // Chance begins anew with each decision: a new process that carries on a match in the middle decides as the one
      // before it would have done.
      this.#answer = choose(decision, new Chance(this.start.seed, decision.number));
      this.#number = decision.number;
    }
    return this.#reply(decision);
  }

  /** Falls back to the default answer. A refusal may also speak of a decision that was closed meanwhile. */
  decideAgain(refused: Refused): Reply | undefined {
    const decision = this.#open;
    if (decision?.number !== refused.number || !isAnswerDue(refused)) {
      return undefined;
    }
    this.#answer = decision.defaultAnswer;
    return this.#reply(decision);
  }

  /** Says whether no answer in this match was refused before for this cause. */
  isFirstRefusal(cause: string): boolean {
    const known = this.#refusals.has(cause);
    this.#refusals.add(cause);
    return !known;
  }

  /** Closes a decision. Says whether that is news, since it may be told again after a broken connection. */
  close(number: number): boolean {
    if (this.#open?.number === number) {
      this.#open = undefined;
    }
    const news = number > this.#closed;
    this.#closed = Math.max(number, this.#closed);
    return news;
  }

  #reply({ matchHandle, number }: Decision): Reply {
    return { choice: { matchHandle, number, answer: this.#answer }, askedMs: this.#askedMs };
  }
}

/** Says whether a refusal leaves the decision open. With the last strike the default answer is taken. */
function isAnswerDue({ rule, strikesLeft, timeLeftMs }: Refused): boolean {
  const lastStrike = rule !== "" && strikesLeft === 0;
  return timeLeftMs > 0 && !lastStrike;
}
