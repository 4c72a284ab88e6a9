import type { Bot, BotFactory } from "./bot.js";
import type { Log } from "./log.js";
import { Match } from "./match.js";
import type { EventNotice, KnownMatch, ServerMessage } from "./ordago/v1/bot_service.js";
import type { Decision } from "./ordago/v1/decision.js";
import { Fault } from "./ordago/v1/faults.js";
import type { Accepted, Forfeited, MatchEnd, MatchStart, Refused } from "./ordago/v1/match.js";
import type { Receipts } from "./receipts.js";
import { type Listener, type Reply, Seat } from "./seat.js";
import { costOf, EventCount, endingOf, faultName, orNoReason, reasonOf } from "./words.js";

/** The matches of a session: handles their messages and collects the answers. */
export class Matches implements Listener {
  readonly #factory: BotFactory;
  readonly #receipts: Receipts | undefined;
  readonly #log: Log;
  readonly #onReady: () => void;
  readonly #seats = new Map<number, Seat>();
  readonly #event = new EventCount();
  #replies: Reply[] = [];
  #failure: { readonly error: unknown } | undefined;
  #begun = 0;
  #retiring = false;

  /** Begin with none. The function is called whenever a bot that was thinking has answered, or failed. */
  constructor(factory: BotFactory, receipts: Receipts | undefined, log: Log, onReady: () => void) {
    this.#factory = factory;
    this.#receipts = receipts;
    this.#log = log;
    this.#onReady = onReady;
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
    this.disconnect();
    this.#seats.clear();
    this.#begun = 0;
  }

  /** Handle a message with its time of arrival. One that is about no match is ignored. */
  take({ body }: ServerMessage, arrivedMs: number): void {
    switch (body?.$case) {
      case "matchStart":
        return this.#begin(body.value);
      case "decision":
        return this.#decide(body.value, arrivedMs);
      case "refused":
        return this.#refused(body.value);
      case "accepted":
        return this.#accepted(body.value);
      case "forfeited":
        return this.#forfeited(body.value);
      case "matchEnd":
        return this.#end(body.value);
      case "eventNotice":
        return this.#noticed(body.value);
    }
  }

  /**
   * Return the answers that were found, each once.
   *
   * @throws whatever a bot threw
   */
  takeReplies(): Reply[] {
    if (this.#failure !== undefined) {
      throw this.#failure.error;
    }
    const replies = this.#replies;
    this.#replies = [];
    return replies;
  }

  /** Take the answer of a bot that was thinking. */
  replied(reply: Reply): void {
    this.#keep(reply);
    this.#onReady();
  }

  /** Learn that a bot failed while it was thinking. */
  failed(error: unknown): void {
    this.#failure ??= { error };
    this.#onReady();
  }

  #keep(reply: Reply | undefined): void {
    if (reply !== undefined) {
      this.#replies.push(reply);
      this.#checkRetiring(this.#seats.get(reply.choice.matchHandle)?.bot);
    }
  }

  #checkRetiring(bot: Bot | undefined): void {
    this.#retiring ||= bot?.retiring ?? false;
  }

  /** Begin a match. After a resume, a match that continues keeps its bot object, with all its state. */
  #begin(start: MatchStart): void {
    const known = this.#seats.get(start.matchHandle);
    const match = `match ${start.matchId} of ${start.game}`;
    if (known?.carriesOn(start)) {
      this.#log.info(`${match} goes on, seat ${start.seat}`);
      return;
    }
    this.#log.info(`${match} begins, seat ${start.seat}${this.#event.next()}`);
    known?.disconnect();
    this.#begun += known === undefined ? 1 : 0;
    this.#seats.set(start.matchHandle, new Seat(start, this.#factory(new Match(start)), this));
    this.#receipts?.begin(start);
  }

  #decide(decision: Decision, arrivedMs: number): void {
    const seat = this.#seats.get(decision.matchHandle);
    if (seat === undefined) {
      this.#log.warn(`${nameOf(seat)}, decision ${decision.number}: not answered, since no such match was announced`);
    }
    this.#keep(seat?.decide(decision, arrivedMs));
  }

  #refused(refused: Refused): void {
    const seat = this.#seats.get(refused.matchHandle);
    // A faulty bot may have every answer of a match refused: its author has to see it, but once for each cause.
    const cause = refused.rule || refused.field || faultName(refused.fault);
    if (seat?.isFirstRefusal(cause) ?? true) {
      const sentence = orNoReason(refused.sentence);
      this.#log.warn(`${nameOf(seat)}, decision ${refused.number}: refused: ${sentence} (${cause})`);
    }
    this.#keep(seat?.decideAgain(refused));
  }

  #accepted(accepted: Accepted): void {
    const seat = this.#seats.get(accepted.matchHandle);
    if (!seat?.close(accepted.number)) {
      return;
    }
    const where = `${nameOf(seat)}, decision ${accepted.number}`;
    this.#log.debug(() => `${where}: ${costOf(accepted)}`);
    if (accepted.fault !== Fault.FAULT_UNSPECIFIED) {
      this.#log.warn(`${where}: the default answer was taken: ${reasonOf(accepted)}`);
    }
  }

  #forfeited(notice: Forfeited): void {
    const seat = this.#seats.get(notice.matchHandle);
    this.#log.warn(`${nameOf(seat)} is forfeited: ${orNoReason(notice.sentence)} (${faultName(notice.fault)})`);
    seat?.bot.forfeited(notice);
  }

  #end(end: MatchEnd): void {
    const seat = this.#seats.get(end.matchHandle);
    if (seat === undefined) {
      return;
    }
    this.#seats.delete(end.matchHandle);
    seat.disconnect();
    this.#receipts?.end(seat.start, end);
    this.#log.info(`${nameOf(seat)} ended: ${endingOf(end, seat.start.seat)}`);
    seat.bot.ended(end);
    this.#checkRetiring(seat.bot);
  }

  #noticed(notice: EventNotice): void {
    this.#event.learn(notice);
    this.#log.info(`event: ${orNoReason(notice.sentence)}`);
  }
}

/** Return the name of a match in the log. */
function nameOf(seat: Seat | undefined): string {
  return seat === undefined ? "a match that is over" : `match ${seat.start.matchId}`;
}
