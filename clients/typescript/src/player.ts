import { log } from "./log.js";
import {
  type BotMessage,
  Goodbye,
  Hello,
  type PlayRequest,
  type PlayResponse,
  ServerMessage,
  type Welcome,
} from "./ordago/v1/bot_service.js";
import type { Decision } from "./ordago/v1/decision.js";
import { Fault, faultToJSON } from "./ordago/v1/faults.js";
import {
  type Accepted,
  Choice,
  type Forfeited,
  type MatchEnd,
  type MatchStart,
  type Refused,
} from "./ordago/v1/match.js";
import { type Choose, type Reply, Seat } from "./seat.js";

export const CONTRACT_VERSION = 1;
const RETIREMENT: BotMessage = { body: { $case: "retire", value: {} } };

/**
 * One process of a bot over all of its connections, without I/O: frames of the server in, frames for the server out.
 * It knows the messages of Ordago and no game.
 */
export class Player {
  readonly #choose: Choose;
  readonly #hello: Hello;
  readonly #seats = new Map<number, Seat>();
  readonly #now: () => number;
  #farewell: Goodbye | undefined;
  #retryAfterMs = 0;
  #resumeWindowMs = 0;
  #retiring = false;
  /** Whether that has to be said once more, since the connection is a new one. */
  #retireDue = false;
  /** How many matches have begun in this session. */
  #begun = 0;

  /**
   * The Hello says who plays, and how much at once; the versions are filled in here. The clock tells the time in
   * milliseconds, from any beginning; it measures how long the bot thinks.
   */
  constructor(choose: Choose, hello: Partial<Hello>, now: () => number = () => performance.now()) {
    this.#choose = choose;
    this.#now = now;
    this.#hello = Hello.fromPartial({
      ...hello,
      minVersion: CONTRACT_VERSION,
      maxVersion: CONTRACT_VERSION,
      sdk: { name: "ordago typescript", version: "0.1.0" },
    });
  }

  /** The Goodbye of the server that ended the session for good; undefined while it goes on. */
  get farewell(): Goodbye | undefined {
    return this.#farewell;
  }

  /** How long the server that ended the session wants to be left alone before the bot comes back; else 0. */
  get retryAfterMs(): number {
    return this.#retryAfterMs;
  }

  /** How long the session can be resumed after its connection broke; 0 without a session. */
  get resumeWindowMs(): number {
    return this.#resumeWindowMs;
  }

  /** Whether the bot takes no more seats, since it was told so. */
  get retiring(): boolean {
    return this.#retiring;
  }

  /** Returns the first frame of a connection. It resumes the session that there was before, if any. */
  greet(): PlayRequest {
    this.#retryAfterMs = 0;
    for (const seat of this.#seats.values()) {
      seat.disconnect();
    }
    if (this.#hello.resume !== undefined) {
      const known = [...this.#seats].map(([matchHandle, { number }]) => ({ matchHandle, lastDecision: number }));
      this.#hello.resume.matches = known;
    }
    return frame([{ body: { $case: "hello", value: this.#hello } }]);
  }

  /** Returns the frame by which the bot takes no more seats. It is said again on each connection after this one. */
  retire(): PlayRequest {
    this.#retiring = true;
    return frame([RETIREMENT]);
  }

  /** Returns the frame that ends the session. */
  leave(sentence: string): PlayRequest {
    return frame([{ body: { $case: "goodbye", value: Goodbye.fromPartial({ sentence }) } }]);
  }

  /** Takes in a frame that came now and returns the one to send back; undefined if there is nothing to say. */
  receive(response: PlayResponse): PlayRequest | undefined {
    const arrivedMs = this.#now();
    const replies = response.messages
      .map((message) => this.#take(message, arrivedMs))
      .filter((reply) => reply !== undefined);
    const messages = this.#sent(replies);
    if (this.#retireDue) {
      this.#retireDue = false;
      messages.push(RETIREMENT);
    }
    return messages.length > 0 ? frame(messages) : undefined;
  }

  /** Returns all answers to a frame. They are sent together, so the time of each ends with the last. */
  #sent(replies: readonly Reply[]): BotMessage[] {
    const now = this.#now();
    const choices = replies.map(({ choice, askedMs }) => ({ ...choice, thoughtMs: Math.round(now - askedMs) }));
    for (const choice of choices) {
      log.debug("went", () => Choice.toJSON(choice));
    }
    return choices.map((value) => ({ body: { $case: "choice", value } }));
  }

  /**
   * Notes that the session is over, and why; says whether there was one. A new one begins with the next greeting; who
   * takes no more seats needs none: then this is the farewell.
   */
  loseSession(sentence: string): boolean {
    const had = this.#hello.resume !== undefined;
    const inAll = this.#hello.matchesInAll;
    this.#hello.resume = undefined;
    this.#resumeWindowMs = 0;
    if (had && (this.#retiring || (inAll > 0 && this.#begun >= inAll))) {
      this.#farewell = Goodbye.fromPartial({ sentence });
    }
    this.#hello.matchesInAll = Math.max(0, inAll - this.#begun);
    this.#begun = 0;
    return had;
  }

  /** Returns the reply that a message asks for; undefined for most. */
  #take(message: ServerMessage, arrivedMs: number): Reply | undefined {
    const body = message.body;
    if (body?.$case !== "welcome") {
      log.debug("came", () => ServerMessage.toJSON(message)); // A Welcome holds the token of the session.
    }
    switch (body?.$case) {
      case "welcome":
        return this.#welcomed(body.value);
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
      case "draining":
        log.info(`the server is going down: ${body.value.sentence}`);
        return undefined;
      case "goodbye":
        return this.#dismissed(body.value);
      default: // A message of an unknown kind has no body.
        return undefined;
    }
  }

  #welcomed(welcome: Welcome): undefined {
    log.info(`${welcome.resumed ? "connected again" : "connected"}; games: ${welcome.games.map(({ game }) => game)}`);
    if (!welcome.resumed) {
      this.#seats.clear();
    }
    this.#hello.resume = { sessionId: welcome.sessionId, resumeToken: welcome.resumeToken, matches: [] };
    this.#retireDue = this.#retiring;
    this.#resumeWindowMs = welcome.limits?.resumeWindowMs ?? 0;
  }

  /** Ends the session: for good, or until the time that the server names. */
  #dismissed(goodbye: Goodbye): undefined {
    if (goodbye.retryAfterMs === 0 || goodbye.fault !== Fault.FAULT_UNSPECIFIED) {
      this.#farewell = goodbye;
      return;
    }
    log.info(`the server said goodbye for now: ${goodbye.sentence}`);
    this.loseSession(goodbye.sentence);
    this.#retryAfterMs = goodbye.retryAfterMs;
  }

  /** Begins a match, or goes on with it after a resume. */
  #begin(start: MatchStart): undefined {
    const known = this.#seats.get(start.matchHandle);
    this.#begun += known === undefined ? 1 : 0;
    if (!known?.carriesOn(start)) {
      this.#seats.set(start.matchHandle, new Seat(start));
    }
  }

  #decide(decision: Decision, arrivedMs: number): Reply | undefined {
    const seat = this.#seats.get(decision.matchHandle);
    if (seat === undefined) {
      log.warn(`a decision of a match that was not announced: ${decision.matchHandle}`);
    }
    return seat?.decide(this.#choose, decision, arrivedMs);
  }

  #refused(refused: Refused): Reply | undefined {
    const { matchHandle, number, sentence, rule, field, fault } = refused;
    const seat = this.#seats.get(matchHandle);
    // The default answer may stand in for all answers of a match: its author has to hear of it, but not each time.
    const cause = rule || field || faultToJSON(fault);
    if (seat?.isFirstRefusal(cause) ?? true) {
      log.warn(`match ${matchHandle}, decision ${number}: refused: ${sentence} (${cause})`);
    }
    return seat?.decideAgain(refused);
  }

  #accepted(accepted: Accepted): undefined {
    const seat = this.#seats.get(accepted.matchHandle);
    if (!seat?.close(accepted.number)) {
      return;
    }
    const { number, chargedMs, lagMs, lostMs, bankMs, faultsLeft, sentence } = accepted;
    log.debug("cost", () => ({ match: seat.start.matchId, number, chargedMs, lagMs, lostMs, bankMs }));
    if (accepted.fault !== Fault.FAULT_UNSPECIFIED) {
      const left = faultsLeft > 0 ? `; ${faultsLeft} more and the match is forfeited` : "";
      log.warn(`the default answer was taken: ${sentence} (${faultToJSON(accepted.fault)})${left}`);
    }
  }

  #forfeited({ matchHandle, sentence, fault }: Forfeited): undefined {
    log.warn(`match ${matchHandle} is forfeited: ${sentence} (${faultToJSON(fault)})`);
  }

  #end({ matchHandle, outcome, sentence, forfeits }: MatchEnd): undefined {
    if (outcome === undefined) {
      log.warn(`match ${matchHandle} is void: ${sentence}`);
    }
    for (const { seat, fault } of forfeits) {
      log.info(`match ${matchHandle}: seat ${seat} was forfeited (${faultToJSON(fault)})`);
    }
    this.#seats.delete(matchHandle);
  }
}

function frame(messages: BotMessage[]): PlayRequest {
  return { messages };
}
