import { answerOf, type Choosable } from "./answers.js";
import type { Bot, Thought } from "./bot.js";
import { Chance } from "./chance.js";
import type { Answer, Decision } from "./ordago/v1/decision.js";
import type { Choice, MatchStart, Refused } from "./ordago/v1/match.js";

/** An answer to be sent. */
export interface Reply {
  /** The choice that it is sent as. */
  readonly choice: Choice;
  /** The time of arrival of the decision, in milliseconds by the clock of the player. */
  readonly askedMs: number;
}

/** The receiver of answers that took a while. */
export interface Listener {
  /** Take an answer. */
  replied(reply: Reply): void;
  /** Learn that the bot failed. */
  failed(error: unknown): void;
}

/**
 * The state of one seat of one match, over all connections of the session. A decision may come again after a broken
 * connection, or because the server lost time. Its answer is kept and sent again: the bot is asked once, and the server
 * never gets two different answers.
 */
export class Seat {
  /** The match, as it was announced. */
  readonly start: MatchStart;
  /** The bot that plays the seat. */
  readonly bot: Bot;
  readonly #listener: Listener;
  readonly #refusals = new Set<string>();
  #number = 0;
  #chance: Chance;
  #open: Decision | undefined;
  #askedMs = 0;
  #closed = 0;
  /** The last answer; undefined while the bot thinks. */
  #answer: Answer | undefined;
  /** The answer that the bot is looking for now, if any; those that it looked for earlier are dropped. */
  #thought: PromiseLike<Choosable> | undefined;

  /** Begin without a decision. */
  constructor(start: MatchStart, bot: Bot, listener: Listener) {
    this.start = start;
    this.bot = bot;
    this.#listener = listener;
    this.#chance = new Chance(start.seed, 0);
  }

  /** The number of the last decision that came; 0 if none did. */
  get number(): number {
    return this.#number;
  }

  /** Return true if an announced match is this one, at no earlier point than the bot has seen. */
  carriesOn({ matchId, lastDecision }: MatchStart): boolean {
    return matchId === this.start.matchId && lastDecision + 1 >= this.#number;
  }

  /** Close the open decision. If the match goes on over another connection, it will come again. */
  disconnect(): void {
    this.#open = undefined;
  }

  /** Answer a decision with its time of arrival; undefined while the bot thinks. */
  decide(decision: Decision, arrivedMs: number): Reply | undefined {
    this.#open = decision;
    this.#askedMs = arrivedMs;
    if (decision.number === this.#number) {
      return this.#reply();
    }
    this.#number = decision.number;
    this.#chance = new Chance(this.start.seed, decision.number);
    return this.#think(this.bot.choose(decision, this.#chance));
  }

  /** Answer a refusal. The decision may have been closed meanwhile. */
  decideAgain(refused: Refused): Reply | undefined {
    const decision = this.#open;
    if (decision?.number !== refused.number || !isAnswerDue(refused)) {
      return undefined;
    }
    return this.#think(this.bot.refused(decision, refused, this.#chance));
  }

  /** Return true if no answer in this match was refused before for this cause. */
  isFirstRefusal(cause: string): boolean {
    const known = this.#refusals.has(cause);
    this.#refusals.add(cause);
    return !known;
  }

  /** Close a decision. Return false if it was closed before: after a broken connection that is said again. */
  close(number: number): boolean {
    if (this.#open?.number === number) {
      this.#open = undefined;
    }
    const news = number > this.#closed;
    this.#closed = Math.max(number, this.#closed);
    return news;
  }

  #think(thought: Thought): Reply | undefined {
    this.#answer = undefined;
    this.#thought = isPromised(thought) ? thought : undefined;
    if (!isPromised(thought)) {
      return this.#settle(thought);
    }
    void this.#wait(thought);
    return undefined;
  }

  async #wait(thought: PromiseLike<Choosable>): Promise<void> {
    try {
      const chosen = await thought;
      const reply = this.#thought === thought ? this.#settle(chosen) : undefined;
      if (reply !== undefined) {
        this.#listener.replied(reply);
      }
    } catch (error) {
      this.#listener.failed(error);
    }
  }

  #settle(chosen: Choosable): Reply | undefined {
    this.#answer = answerOf(chosen);
    return this.#reply();
  }

  /** Return the answer to the open decision, if there are both. */
  #reply(): Reply | undefined {
    if (this.#open === undefined || this.#answer === undefined) {
      return undefined;
    }
    const { matchHandle, number } = this.#open;
    return { choice: { matchHandle, number, answer: this.#answer, thoughtMs: undefined }, askedMs: this.#askedMs };
  }
}

function isPromised(thought: Thought): thought is PromiseLike<Choosable> {
  return typeof (thought as Partial<PromiseLike<Choosable>> | undefined)?.then === "function";
}

/** Return true if a refusal leaves the decision open. With the last strike the default answer is taken. */
function isAnswerDue({ rule, strikesLeft, timeLeftMs }: Refused): boolean {
  const lastStrike = rule !== "" && strikesLeft === 0;
  return timeLeftMs > 0 && !lastStrike;
}
