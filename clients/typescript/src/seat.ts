import { answerOf, type Choosable } from "./answers.js";
import type { Bot, BotFactory } from "./bot.js";
import { Calls } from "./calls.js";
import { Chance } from "./chance.js";
import { timed, timeOf } from "./decision.js";
import type { AskedDecision } from "./decisions.js";
import { messageOf } from "./events.js";
import { Match } from "./match.js";
import type { Answer, Decision } from "./ordago/v1/decision.js";
import type { Choice, Forfeited, MatchEnd, MatchStart, Refused } from "./ordago/v1/match.js";

/** An answer to be sent. */
export interface Reply {
  /** The choice that it is sent as. */
  readonly choice: Choice;
  /** The time of arrival of the decision, in milliseconds by the clock of the player. */
  readonly askedMs: number;
  /** The permanent name of the match. */
  readonly matchId: string;
}

/** The point at which a bot failed: a decision, when it was made, or when it was told something. */
export type Failing = Decision | "start" | "notice";

/** The surroundings of a seat. */
export interface SeatContext {
  /** Return the time in milliseconds. */
  clock(): number;
  /** Take an answer. */
  replied(reply: Reply): void;
  /** Learn that the bot was asked, and what came of it. */
  asked(asked: AskedDecision): void;
  /** Learn that the bot failed; returns whether default answers are sent instead. */
  failed(seat: Seat, error: unknown, at: Failing): boolean;
  /** Learn that the bot takes no more seats. */
  retired(): void;
}

/** A decision that the bot is asked, or is going to be. */
interface Question {
  readonly decision: Decision;
  readonly refused: Refused | undefined;
  /** The time that it allows, since its arrival. */
  limit: { readonly ms: number; readonly sinceMs: number };
  /** The time at which the bot was asked; undefined while the question waits for other calls. */
  askedMs: number | undefined;
  /** Aborts when it is closed; undefined unless the bot has asked for its signal. */
  controller: AbortController | undefined;
}

/**
 * The state of one seat of one match, over all connections of the session. A decision may come again after a broken
 * connection, or because the server lost time. Its answer is kept and sent again: the bot is asked once, and the server
 * never gets two different answers.
 */
export class Seat {
  /** The match, as it was announced. */
  readonly start: MatchStart;
  readonly #context: SeatContext;
  readonly #calls = new Calls();
  readonly #marks = new Set<string>();
  /** The bot; undefined until it is made. */
  #bot: Bot | undefined;
  /** True if the bot failed when it was made: it gets no more calls. */
  #isBroken = false;
  #number = 0;
  #chance: Chance;
  #open: Decision | undefined;
  #askedMs = 0;
  #closed = 0;
  /** The answer to the last decision; undefined while there is none. */
  #answer: Answer | undefined;
  /** The last question, until it is answered; answers to earlier ones are dropped. */
  #question: Question | undefined;

  /** Begin without a decision. */
  constructor(start: MatchStart, factory: BotFactory, context: SeatContext) {
    this.start = start;
    this.#context = context;
    this.#chance = new Chance(start.seed, 0);
    const made = (bot: Bot) => {
      this.#bot = bot;
    };
    const failed = (error: unknown) => {
      this.#isBroken = true;
      context.failed(this, error, "start");
    };
    this.#calls.add(() => factory(new Match(start)), made, failed);
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

  /** Leave the match: what waits for the bot is dropped. */
  abandon(): void {
    this.#open = undefined;
    this.#drop();
  }

  /** Answer a decision with its time of arrival, at once or when the bot has thought. */
  decide(decision: Decision, arrivedMs: number): void {
    this.#open = decision;
    this.#askedMs = arrivedMs;
    if (decision.number !== this.#number) {
      this.#number = decision.number;
      this.#answer = undefined;
      this.#drop();
    }
    const limit = { ms: timeOf(decision.clock), sinceMs: arrivedMs };
    if (this.#answer !== undefined) {
      this.#reply();
    } else if (this.#question !== undefined) {
      this.#question.limit = limit;
    } else {
      this.#ask({ decision, refused: undefined, limit, askedMs: undefined, controller: undefined });
    }
  }

  /** Answer a refusal with its time of arrival. The decision may have been closed meanwhile. */
  decideAgain(refused: Refused, arrivedMs: number): void {
    const decision = this.#open;
    if (decision?.number === refused.number && this.#question === undefined && isAnswerDue(refused)) {
      const ms = decision.clock === undefined ? Number.POSITIVE_INFINITY : refused.timeLeftMs;
      this.#answer = undefined;
      this.#ask({ decision, refused, limit: { ms, sinceMs: arrivedMs }, askedMs: undefined, controller: undefined });
    }
  }

  /** Tell the bot that the seat is forfeited. */
  forfeit(notice: Forfeited): void {
    this.#tell((bot) => bot.forfeited(notice));
  }

  /** Tell the bot that the match is over, and wait until it has heard it. */
  end(end: MatchEnd): Promise<void> {
    this.abandon();
    this.#tell((bot) => bot.ended(end));
    return this.#calls.settled();
  }

  /** Return true if this is the first time that this is asked with this text. */
  isFirst(mark: string): boolean {
    const known = this.#marks.has(mark);
    this.#marks.add(mark);
    return !known;
  }

  /** Close a decision. Return false if it was closed before: after a broken connection that is said again. */
  close(number: number): boolean {
    if (this.#open?.number === number) {
      this.#open = undefined;
      this.#drop();
    }
    const news = number > this.#closed;
    this.#closed = Math.max(number, this.#closed);
    return news;
  }

  #drop(): void {
    this.#question?.controller?.abort();
    this.#question = undefined;
  }

  #tell(notice: (bot: Bot) => void | PromiseLike<void>): void {
    const failed = (error: unknown) => void this.#context.failed(this, error, "notice");
    const told = () => this.#checkRetiring();
    this.#calls.add(() => (this.#bot && !this.#isBroken ? notice(this.#bot) : undefined), told, failed);
  }

  #ask(question: Question): void {
    this.#question = question;
    const answer = (chosen: Choosable | undefined) => this.#take(question, chosen);
    this.#calls.add(
      () => this.#think(question),
      answer,
      (error) => this.#failed(question, error),
    );
  }

  /** Ask the bot, unless the question was closed while it waited. */
  #think(question: Question): Choosable | undefined | PromiseLike<Choosable> {
    if (this.#question !== question || this.#bot === undefined) {
      return undefined;
    }
    question.askedMs = this.#context.clock();
    const { decision, refused } = question;
    const signal = () => this.#signalOf(question);
    const asked = timed(decision, () => this.#timeLeft(question), signal);
    if (refused !== undefined) {
      return this.#bot.refused(asked, refused, this.#chance);
    }
    this.#chance = new Chance(this.start.seed, decision.number);
    return this.#bot.choose(asked, this.#chance);
  }

  #timeLeft({ limit: { ms, sinceMs } }: Question): number {
    return Math.max(0, ms - (this.#context.clock() - sinceMs));
  }

  #signalOf(question: Question): AbortSignal {
    question.controller ??= new AbortController();
    if (this.#question !== question) {
      question.controller.abort();
    }
    return question.controller.signal;
  }

  #take(question: Question, chosen: Choosable | undefined): void {
    if (question.askedMs === undefined) {
      return this.#isBroken ? this.#settle(question, question.decision.defaultAnswer) : undefined;
    }
    let answer: Answer;
    try {
      answer = answerOf(chosen, question.decision.defaultAnswer);
    } catch (error) {
      return this.#failed(question, error);
    }
    this.#finish(question, answer);
  }

  #failed(question: Question, error: unknown): void {
    const isAborted = question.controller?.signal.aborted ?? false;
    const isReplaced = !isAborted && this.#context.failed(this, error, question.decision);
    this.#finish(question, isReplaced ? question.decision.defaultAnswer : undefined, messageOf(error));
  }

  #finish(question: Question, answer: Answer | undefined, error?: string): void {
    const { decision, refused, askedMs = 0 } = question;
    const milliseconds = Math.round(this.#context.clock() - askedMs);
    const sent = this.#question === question ? answer : undefined;
    this.#context.asked({ start: this.start, decision, refused, answer: sent, milliseconds, error });
    this.#checkRetiring();
    this.#settle(question, answer);
  }

  /** Keep the answer to the last question, and send it if the decision is open. */
  #settle(question: Question, answer: Answer | undefined): void {
    if (this.#question === question) {
      this.#question = undefined;
      this.#answer = answer;
      this.#reply();
    }
  }

  #checkRetiring(): void {
    if (this.#bot?.retiring) {
      this.#context.retired();
    }
  }

  /** Send the answer to the open decision, if there are both. */
  #reply(): void {
    if (this.#open !== undefined && this.#answer !== undefined) {
      const { matchHandle, number } = this.#open;
      const choice = { matchHandle, number, answer: this.#answer, thoughtMs: undefined };
      this.#context.replied({ choice, askedMs: this.#askedMs, matchId: this.start.matchId });
    }
  }
}

/** Return true if a refusal leaves the decision open. With the last strike the default answer is taken. */
function isAnswerDue({ rule, strikesLeft, timeLeftMs }: Refused): boolean {
  const lastStrike = rule !== "" && strikesLeft === 0;
  return timeLeftMs > 0 && !lastStrike;
}
