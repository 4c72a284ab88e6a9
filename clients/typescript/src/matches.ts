import type { BotFactory } from "./bot.js";
import { BotError } from "./bot-error.js";
import type { AskedDecision } from "./decisions.js";
import * as events from "./events.js";
import type { Log } from "./log.js";
import type { KnownMatch, ServerMessage } from "./ordago/v1/bot_service.js";
import type { Decision } from "./ordago/v1/decision.js";
import { Fault } from "./ordago/v1/faults.js";
import type { Accepted, Forfeited, MatchEnd, MatchStart, Refused } from "./ordago/v1/match.js";
import type { Receipts } from "./receipts.js";
import { type Failing, type Reply, Seat, type SeatContext } from "./seat.js";
import type { Tally } from "./summary.js";

/** What comes of a bot that fails: the process stops, or the default answer is sent. */
export type OnError = "stop" | "default";

/** The surroundings of all matches. */
export interface SessionContext {
  readonly factory: BotFactory;
  readonly onError: OnError;
  readonly receipts: Receipts | undefined;
  readonly tally: Tally;
  readonly log: Log;
  /** True if the cost of each answer is reported. */
  readonly verbose: boolean;
  /** Return the time in milliseconds. */
  clock(): number;
  /** Keep a decision that a bot was asked. */
  keepDecision(asked: AskedDecision): void;
  /** Learn that a bot that was thinking has answered, or failed. */
  onReady(): void;
}

/** The matches of a session: handles their messages and collects the answers. */
export class Matches implements SeatContext {
  readonly #context: SessionContext;
  readonly #seats = new Map<number, Seat>();
  readonly #ending = new Set<Promise<void>>();
  readonly #event = new events.EventCount();
  #replies: Reply[] = [];
  #failure: BotError | undefined;
  #isTaking = false;
  #begun = 0;
  #retiring = false;

  /** Begin with none. */
  constructor(context: SessionContext) {
    this.#context = context;
  }

  /** The last decision of each match that arrived. */
  get known(): KnownMatch[] {
    const known = [...this.#seats].map(([matchHandle, { number }]) => ({ matchHandle, lastDecision: number }));
    return known.sort((one, other) => one.matchHandle - other.matchHandle);
  }

  /** The number of matches that have begun in this session. */
  get begun(): number {
    return this.#begun;
  }

  /** True if one of their bots retired. */
  get retiring(): boolean {
    return this.#retiring;
  }

  /** Prepare to go on over another connection. */
  disconnect(): void {
    this.#replies = [];
    for (const seat of this.#seats.values()) {
      seat.disconnect();
    }
  }

  /** Forget all matches, since their session is over. */
  clear(): void {
    this.#replies = [];
    for (const seat of this.#seats.values()) {
      seat.abandon();
    }
    this.#seats.clear();
    this.#begun = 0;
  }

  /**
   * Handle a message with its time of arrival. One that is about no match is ignored.
   *
   * @throws BotError if a bot failed, and that ends the process
   */
  take({ body }: ServerMessage, arrivedMs: number): void {
    this.#isTaking = true;
    try {
      this.#take(body, arrivedMs);
    } finally {
      this.#isTaking = false;
    }
    this.#throwFailure();
  }

  #take(body: ServerMessage["body"], arrivedMs: number): void {
    switch (body?.$case) {
      case "matchStart":
        return this.#begin(body.value);
      case "decision":
        return this.#decide(body.value, arrivedMs);
      case "refused":
        return this.#refused(body.value, arrivedMs);
      case "accepted":
        return this.#accepted(body.value);
      case "forfeited":
        return this.#forfeited(body.value);
      case "matchEnd":
        return this.#end(body.value);
      case "eventNotice":
        this.#event.learn(body.value);
        return this.#context.log(events.noticed(body.value));
    }
  }

  /**
   * Return the answers that were found, each once.
   *
   * @throws BotError if a bot failed, and that ends the process
   */
  takeReplies(): Reply[] {
    this.#throwFailure();
    const replies = this.#replies;
    this.#replies = [];
    return replies;
  }

  /**
   * Wait until the bots of matches that are over have heard so.
   *
   * @throws BotError if a bot failed, and that ends the process
   */
  async settled(): Promise<void> {
    await Promise.all(this.#ending);
    this.#throwFailure();
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) {
      throw this.#failure;
    }
  }

  clock(): number {
    return this.#context.clock();
  }

  replied(reply: Reply): void {
    this.#replies.push(reply);
    this.#wake();
  }

  asked(asked: AskedDecision): void {
    this.#context.keepDecision(asked);
  }

  failed(seat: Seat, error: unknown, at: Failing): boolean {
    const { onError, tally, log } = this.#context;
    const isReplaced = onError === "default";
    tally.failures += 1;
    if (isReplaced) {
      log(events.failed(error, seat.start, at, seat.isFirst("failure")));
    } else {
      this.#failure ??= new BotError(seat.start.matchId, typeof at === "object" ? at : undefined, error);
      this.#wake();
    }
    return isReplaced;
  }

  retired(): void {
    if (!this.#retiring) {
      this.#retiring = true;
      this.#wake();
    }
  }

  #wake(): void {
    if (!this.#isTaking) {
      this.#context.onReady();
    }
  }

  /** Begin a match. After a resume, a match that continues keeps its bot object, with all its state. */
  #begin(start: MatchStart): void {
    const known = this.#seats.get(start.matchHandle);
    if (known?.carriesOn(start)) {
      return this.#context.log(events.goesOn(start));
    }
    this.#context.log(events.begins(start, this.#event.next()));
    known?.abandon();
    this.#begun += known === undefined ? 1 : 0;
    this.#seats.set(start.matchHandle, new Seat(start, this.#context.factory, this));
    this.#context.receipts?.begin(start);
  }

  #decide(decision: Decision, arrivedMs: number): void {
    const seat = this.#seats.get(decision.matchHandle);
    if (seat === undefined) {
      this.#context.log(events.notAnnounced(decision));
    }
    seat?.decide(decision, arrivedMs);
  }

  #refused(refused: Refused, arrivedMs: number): void {
    const seat = this.#seats.get(refused.matchHandle);
    this.#context.tally.refused(refused);
    // A faulty bot may have every answer of a match refused: its author has to see it, but once for each cause.
    if (seat?.isFirst(`refusal: ${events.causeOf(refused)}`) ?? true) {
      this.#context.log(events.refused(refused, seat?.start));
    }
    seat?.decideAgain(refused, arrivedMs);
  }

  #accepted(accepted: Accepted): void {
    const seat = this.#seats.get(accepted.matchHandle);
    if (!seat?.close(accepted.number)) {
      return;
    }
    if (this.#context.verbose) {
      this.#context.log(events.cost(accepted, seat.start));
    }
    if (accepted.fault !== Fault.FAULT_UNSPECIFIED) {
      this.#context.tally.defaultTaken(accepted);
      this.#context.log(events.defaultTaken(accepted, seat.start));
    }
  }

  #forfeited(notice: Forfeited): void {
    const seat = this.#seats.get(notice.matchHandle);
    this.#context.tally.forfeited += seat?.isFirst("forfeit") ? 1 : 0;
    this.#context.log(events.forfeited(notice, seat?.start));
    seat?.forfeit(notice);
  }

  #end(end: MatchEnd): void {
    const seat = this.#seats.get(end.matchHandle);
    if (seat === undefined) {
      return;
    }
    const { tally, receipts, log } = this.#context;
    this.#seats.delete(end.matchHandle);
    receipts?.end(seat.start, end);
    tally.ended(end, seat.start.seat);
    log(events.ended(end, seat.start));
    const ending = seat.end(end);
    this.#ending.add(ending);
    void ending.finally(() => this.#ending.delete(ending));
  }
}
