import { status } from "@grpc/grpc-js";
import { BackOff } from "./back-off.js";
import type { BotFactory } from "./bot.js";
import type { AskedDecision } from "./decisions.js";
import * as events from "./events.js";
import { type Log, type LogEvent, SILENCE, type SummaryFields } from "./log.js";
import { Matches, type OnError } from "./matches.js";
import {
  type BotMessage,
  type Goodbye,
  Hello,
  type PlayRequest,
  type PlayResponse,
  type ServerMessage,
  type Welcome,
} from "./ordago/v1/bot_service.js";
import { Fault } from "./ordago/v1/faults.js";
import type { DescribeEventResponse } from "./ordago/v1/game_service.js";
import { type Keep, Receipts } from "./receipts.js";
import { Tally } from "./summary.js";
import { VERSION } from "./version.js";

const CONTRACT_VERSION = 1;
/** The name of this SDK in Hello. */
export const SDK = "ordago typescript";
/** The capability of a bot that needs no acknowledgement of an answer that stands. */
const TACIT_ACCEPTANCE = "tacit_acceptance";
const EXIT_OK = 0;
const EXIT_SESSION_ENDED = 3;
/** The statuses of a connection that broke. */
const BROKEN: readonly number[] = [status.OK, status.CANCELLED, status.UNKNOWN, status.INTERNAL, status.UNAVAILABLE];
const NOT_LET_IN: readonly number[] = [status.UNAUTHENTICATED, status.PERMISSION_DENIED];

/** The bot, and how much it plays at once. */
export interface PlayerSettings {
  /** The name of the bot, unless its token has one. */
  readonly name: string;
  /** The version of the bot. */
  readonly version?: string;
  /** 16 to 64 random bytes that are mixed into the deals. */
  readonly nonce: Uint8Array;
  /** The games that it plays; none for all that the server offers. */
  readonly games?: readonly string[];
  /** The number of matches that it plays at once; 0 for the server's limit. */
  readonly maxMatches?: number;
  /** The number of decisions that it takes at once; 0 for the server's limit. */
  readonly maxOpenDecisions?: number;
  /** The number of matches after which it retires by itself; 0 for never. */
  readonly matchesInAll?: number;
  /** What comes of a bot that fails; "stop" by default. */
  readonly onError?: OnError;
}

/** The environment of a player, apart from the stream. */
export interface Surroundings {
  /** Return the time in milliseconds, from any beginning. */
  readonly clock?: () => number;
  /** Receive what happens. */
  readonly log?: Log;
  /** True to report every message; the server is then asked for the cost of each answer. */
  readonly verbose?: boolean;
  /** Store receipts of what the server says about its event; undefined for none. */
  readonly keep?: Keep | undefined;
  /** Store each decision that a bot was asked; undefined not to. */
  readonly keepDecision?: ((asked: AskedDecision) => void) | undefined;
}

/** The end of a connection. */
export interface Ending {
  /** The status of gRPC; 0 (OK) for an orderly end. */
  readonly status: number;
  /** The reason, in one sentence; empty if none was given. */
  readonly sentence: string;
  /** The milliseconds to wait before the next attempt, from the metadata of the status; 0 if not given. */
  readonly retryAfterMs: number;
}

/** The step after the end of a connection: another one after a pause, or the end of the bot. */
export type Next =
  | {
      readonly pauseMs: number;
      /** Return what is to be reported, with the pause that is made. */
      readonly report: (pauseMs: number) => LogEvent;
    }
  | {
      /** The exit code of the process. */
      readonly exitCode: number;
      /** Return what is to be reported, with the address of the server, and a hint if it never answered. */
      readonly report: (address: string, hint: string) => LogEvent;
    };

/**
 * One process of a bot over all of its connections, without I/O: frames of the server in, frames for the server out.
 * It knows the messages of Ordago and no game.
 */
export class Player {
  /** Called when `ready` has something to return, since a bot has finished thinking. */
  onReady: () => void = () => {};
  readonly #hello: Hello;
  readonly #matches: Matches;
  readonly #receipts: Receipts | undefined;
  readonly #clock: () => number;
  readonly #log: Log;
  readonly #verbose: boolean;
  readonly #tally = new Tally();
  readonly #backOff: BackOff;
  /** The reason of the server for ending the session for good. */
  #goodbye: string | undefined;
  /** What is to be reported about the next pause, if the server gave a reason on this connection. */
  #pause: ((pauseMs: number) => LogEvent) | undefined;
  #retryAfterMs = 0;
  #resumeWindowMs = 0;
  #wasReached = false;
  /** True if the session is open on this connection. */
  #open = false;
  #toldToRetire = false;
  #hasSentRetire = false;

  /** Prepare to play with the bots that a factory makes. */
  constructor(factory: BotFactory, settings: PlayerSettings, surroundings: Surroundings = {}) {
    const { clock = () => performance.now(), log = SILENCE, verbose = false, keep, keepDecision } = surroundings;
    const { name, version = "", games = [], onError = "stop", ...limits } = settings;
    this.#clock = clock;
    this.#log = log;
    this.#verbose = verbose;
    this.#backOff = new BackOff(clock());
    this.#receipts = keep && new Receipts(keep);
    this.#matches = new Matches({
      factory,
      onError,
      receipts: this.#receipts,
      tally: this.#tally,
      log,
      verbose,
      clock,
      keepDecision: keepDecision ?? (() => {}),
      onReady: () => this.onReady(),
    });
    this.#hello = Hello.fromPartial({
      ...limits,
      games: [...games],
      bot: { name, version },
      minVersion: CONTRACT_VERSION,
      maxVersion: CONTRACT_VERSION,
      sdk: { name: SDK, version: VERSION },
      // A log of all messages should have the cost of each answer, which acknowledgements tell.
      capabilities: verbose ? [] : [TACIT_ACCEPTANCE],
    });
  }

  /** True if a frame came on this connection. */
  get wasReached(): boolean {
    return this.#wasReached;
  }

  /** True if `learn` has to be called before each connection. */
  get keepsReceipts(): boolean {
    return this.#receipts !== undefined;
  }

  /** True if the session is open, so that messages can be sent. */
  get isOpen(): boolean {
    return this.#open;
  }

  /** The counts of all that was played: matches, placings, faults. */
  get summary(): SummaryFields {
    return this.#tally.fields;
  }

  /** True if no answer was refused or replaced, no match forfeited, and no bot failed. */
  get isClean(): boolean {
    return this.#tally.isClean;
  }

  /** True if it was told to take no more seats. */
  get toldToRetire(): boolean {
    return this.#toldToRetire;
  }

  /** Store a receipt of the server's event, before a connection begins. There may be no event. */
  learn(described: DescribeEventResponse): void {
    this.#receipts?.describe(described, this.#hello.nonce);
  }

  /** Begin a connection and return its first frame, which resumes the session before, if any. */
  connect(): PlayRequest {
    this.#disconnect();
    if (this.#hello.resume !== undefined) {
      this.#hello.resume.matches = this.#matches.known;
    }
    return this.#send([{ body: { $case: "hello", value: this.#hello } }]);
  }

  #disconnect(): void {
    this.#retryAfterMs = 0;
    this.#pause = undefined;
    this.#wasReached = false;
    this.#open = false;
    this.#hasSentRetire = false;
    this.#matches.disconnect();
  }

  /**
   * Process a frame and return the frame to send back; undefined if there is nothing to send.
   *
   * @param arrivedMs the time of arrival, by the clock of the player
   *
   * @throws BotError if a bot failed, and that ends the session
   */
  receive(frame: PlayResponse, arrivedMs = this.#clock()): PlayRequest | undefined {
    this.#wasReached = true;
    for (const message of frame.messages) {
      this.#take(message, arrivedMs);
    }
    return this.ready();
  }

  /**
   * Return a frame with all answers that were found; undefined if there are none.
   *
   * @throws BotError if a bot failed, and that ends the session
   */
  ready(): PlayRequest | undefined {
    const replies = this.#matches.takeReplies();
    // Answers that are sent together all have a thinking time that ends with the last one.
    const now = this.#clock();
    const choices = replies.map(({ choice, askedMs, matchId }): BotMessage => {
      const value = { ...choice, thoughtMs: Math.round(now - askedMs) };
      this.#tally.answered(value, matchId);
      return { body: { $case: "choice", value } };
    });
    return this.#frame([...choices, ...this.#retirement()]);
  }

  /**
   * Take no more seats, and return the frame that says so; undefined if it was sent, or cannot be sent now. It is sent
   * again on each later connection.
   */
  retire(): PlayRequest | undefined {
    this.#toldToRetire = true;
    return this.#frame(this.#retirement());
  }

  /**
   * Wait until the bots of matches that are over have heard so.
   *
   * @throws BotError if a bot failed, and that ends the session
   */
  settled(): Promise<void> {
    return this.#matches.settled();
  }

  /** Return the frame that ends the session; undefined if it is not open. */
  leave(sentence: string): PlayRequest | undefined {
    const goodbye: Goodbye = { sentence, fault: Fault.FAULT_UNSPECIFIED, retryAfterMs: 0 };
    return this.#frame(this.#open ? [{ body: { $case: "goodbye", value: goodbye } }] : []);
  }

  /**
   * Return the next step after a connection ended.
   *
   * @param jitter a random number from 0 to 1, by which a pause varies
   */
  lost(ending: Ending, jitter: number): Next {
    const next = this.#stepAfter(ending, jitter);
    this.#disconnect();
    return next;
  }

  #stepAfter(ending: Ending, jitter: number): Next {
    const isUnknownHere = NOT_LET_IN.includes(ending.status) && !this.#wasReached && this.#hello.resume !== undefined;
    if (isUnknownHere) {
      this.#loseSession(ending.sentence);
    }
    if (this.#goodbye !== undefined) {
      // A status that names an error outweighs the goodbye before it.
      const isInOrder = isUnknownHere || BROKEN.includes(ending.status);
      const sentence = this.#goodbye;
      return isInOrder
        ? { exitCode: EXIT_OK, report: () => events.saidGoodbye(sentence) }
        : sessionEnded(ending.status, sentence);
    }
    return this.#next(ending, { isUnknownHere, jitter });
  }

  #next(ending: Ending, { isUnknownHere, jitter }: { isUnknownHere: boolean; jitter: number }): Next {
    const retryAfterMs = this.#retryAfterMs || ending.retryAfterMs;
    if (isUnknownHere || this.#wasReached || retryAfterMs > 0) {
      this.#backOff.restart(this.#clock());
    }
    const cause =
      ending.sentence || (ending.status === status.OK ? "the stream ended" : events.statusName(ending.status));
    const report = this.#pause ?? ((pauseMs) => events.connectionBroke(cause, pauseMs));
    if (retryAfterMs > 0) {
      return { pauseMs: retryAfterMs * (1 + jitter / 4), report };
    }
    if (!isUnknownHere && !BROKEN.includes(ending.status)) {
      return sessionEnded(ending.status, ending.sentence);
    }
    if (this.#backOff.isOver(this.#clock(), this.#resumeWindowMs)) {
      return { exitCode: EXIT_SESSION_ENDED, report: (address, hint) => events.unreachable(address, cause, hint) };
    }
    return { pauseMs: this.#backOff.next() * (1 - jitter / 2), report };
  }

  /** Forget the session. The next connection begins a new one, unless none is needed: then the bot ends. */
  #loseSession(sentence: string): void {
    const { begun } = this.#matches;
    const inAll = this.#hello.matchesInAll;
    if (this.#isRetiring || (inAll > 0 && begun >= inAll)) {
      this.#goodbye = sentence;
    }
    this.#hello.matchesInAll = Math.max(0, inAll - begun);
    this.#hello.resume = undefined;
    this.#resumeWindowMs = 0;
    this.#matches.clear();
  }

  get #isRetiring(): boolean {
    return this.#toldToRetire || this.#matches.retiring;
  }

  #retirement(): BotMessage[] {
    if (!this.#isRetiring || this.#hasSentRetire || !this.#open) {
      return [];
    }
    this.#hasSentRetire = true;
    return [{ body: { $case: "retire", value: {} } }];
  }

  #frame(messages: BotMessage[]): PlayRequest | undefined {
    return messages.length > 0 ? this.#send(messages) : undefined;
  }

  #send(messages: BotMessage[]): PlayRequest {
    for (const message of this.#verbose ? messages : []) {
      this.#log(events.went(message));
    }
    return { messages };
  }

  #take(message: ServerMessage, arrivedMs: number): void {
    const body = message.body;
    if (this.#verbose) {
      this.#log(events.came(message));
    }
    switch (body?.$case) {
      case "welcome":
        return this.#welcomed(body.value);
      case "draining":
        this.#pause = events.goneDown;
        return this.#log(events.draining(body.value.sentence));
      case "announcement":
        return this.#log(events.announced(body.value.sentence));
      case "goodbye":
        return this.#dismissed(body.value);
      default: // A message of an unknown kind has no body.
        return this.#matches.take(message, arrivedMs);
    }
  }

  #welcomed(welcome: Welcome): void {
    const { resumed, sessionId, resumeToken, limits } = welcome;
    this.#log(events.welcomed(welcome));
    if (!resumed) {
      this.#matches.clear();
    }
    this.#hello.resume = { sessionId, resumeToken, matches: [] };
    this.#resumeWindowMs = limits?.resumeWindowMs ?? 0;
    this.#open = true;
  }

  /** Learn that the server ended the session, for good or for a time. */
  #dismissed({ sentence, fault, retryAfterMs }: Goodbye): void {
    this.#open = false;
    if (retryAfterMs === 0 || fault !== Fault.FAULT_UNSPECIFIED) {
      this.#goodbye = sentence;
      return;
    }
    this.#pause = (pauseMs) => events.goodbyeForNow(sentence, pauseMs);
    this.#loseSession(sentence);
    this.#retryAfterMs = retryAfterMs;
  }
}

function sessionEnded(code: number, sentence: string): Next {
  return { exitCode: EXIT_SESSION_ENDED, report: (address: string) => events.sessionEnded(address, code, sentence) };
}
