import { status } from "@grpc/grpc-js";
import type { BotFactory } from "./bot.js";
import { type Log, SILENCE } from "./log.js";
import { Matches } from "./matches.js";
import {
  BotMessage,
  type Goodbye,
  Hello,
  type PlayRequest,
  type PlayResponse,
  ServerMessage,
  type Welcome,
} from "./ordago/v1/bot_service.js";
import { Fault } from "./ordago/v1/faults.js";
import type { DescribeEventResponse } from "./ordago/v1/game_service.js";
import { Patience } from "./patience.js";
import { type Keep, Receipts } from "./receipts.js";
import { VERSION } from "./version.js";

const CONTRACT_VERSION = 1;
/** The capability of a bot whose answers are taken without a word where they stand. */
const TACIT_ACCEPTANCE = "tacit_acceptance";
const EXIT_OK = 0;
const EXIT_SESSION_ENDED = 3;
/** How a connection ends that broke. */
const BROKEN: readonly number[] = [status.OK, status.CANCELLED, status.UNKNOWN, status.INTERNAL, status.UNAVAILABLE];
const NOT_LET_IN: readonly number[] = [status.UNAUTHENTICATED, status.PERMISSION_DENIED];

/** Who plays, and how much at once. */
export interface PlayerSettings {
  /** How the bot is called where its token does not say it. */
  readonly name: string;
  /** The version of the bot. */
  readonly version?: string;
  /** 16 to 64 random bytes that are mixed into the deals. */
  readonly nonce: Uint8Array;
  /** The games that it plays; none for all that the server offers. */
  readonly games?: readonly string[];
  /** How many matches it plays at once; 0 for the server's limit. */
  readonly maxMatches?: number;
  /** How many decisions it takes at once; 0 for the server's limit. */
  readonly maxOpenDecisions?: number;
  /** After how many matches it retires by itself; 0 for never. */
  readonly matchesInAll?: number;
}

/** What a player is connected with beside the stream. */
export interface Surroundings {
  /** Tells the time in milliseconds, from any beginning. */
  readonly clock?: () => number;
  /** Hears how things go. */
  readonly log?: Log;
  /** Is handed the receipts of what the server says of an event, where somebody wants any. */
  readonly keep?: Keep | undefined;
}

/** How a connection ended. */
export interface Ending {
  /** The status of gRPC; 0 (OK) for an orderly end. */
  readonly status: number;
  /** Why it ended, in one sentence; empty if nobody said why. */
  readonly sentence: string;
  /** When the server wants the bot to come back, by the metadata beside the status; 0 if it does not say. */
  readonly retryAfterMs: number;
}

/** What comes after a connection has ended: another one after a pause, or the end of the bot. */
export type Next =
  | { readonly pauseMs: number }
  | {
      /** The exit code of the process. */
      readonly exitCode: number;
      /** Why it is over, to be read behind the name of the server. */
      readonly sentence: string;
    };

/**
 * One process of a bot over all of its connections, without I/O: frames of the server in, frames for the server out.
 * It knows the messages of Ordago and no game.
 */
export class Player {
  /** Is called when there is something to be taken by `ready`, since a bot has thought for longer than a frame. */
  onReady: () => void = () => {};
  readonly #hello: Hello;
  readonly #matches: Matches;
  readonly #receipts: Receipts | undefined;
  readonly #clock: () => number;
  readonly #log: Log;
  readonly #patience: Patience;
  /** The reason of the server for ending the session for good. */
  #farewell: string | undefined;
  #retryAfterMs = 0;
  #resumeWindowMs = 0;
  /** Whether a frame came on this connection. */
  #heard = false;
  /** Whether the session is open on this connection. */
  #open = false;
  #toldToRetire = false;
  #hasSaidRetire = false;

  /** Prepares to play with the bots that a factory makes. */
  constructor(factory: BotFactory, settings: PlayerSettings, surroundings: Surroundings = {}) {
    const { clock = () => performance.now(), log = SILENCE, keep } = surroundings;
    this.#clock = clock;
    this.#log = log;
    this.#patience = new Patience(clock());
    this.#receipts = keep && new Receipts(keep);
    this.#matches = new Matches(factory, this.#receipts, log, () => this.onReady());
    const { name, version = "", games = [], ...limits } = settings;
    this.#hello = Hello.fromPartial({
      ...limits,
      games: [...games],
      bot: { name, version },
      minVersion: CONTRACT_VERSION,
      maxVersion: CONTRACT_VERSION,
      sdk: { name: "ordago typescript", version: VERSION },
      // Whoever is shown all that comes wants to see what each answer cost.
      capabilities: log.verbose ? [] : [TACIT_ACCEPTANCE],
    });
  }

  /** Whether it wants to learn, before each connection, which event the server plays. */
  get keepsReceipts(): boolean {
    return this.#receipts !== undefined;
  }

  /** Whether the session is open, so that the server hears what is said. */
  get isOpen(): boolean {
    return this.#open;
  }

  /** Whether it was told to take no more seats, and knows. */
  get toldToRetire(): boolean {
    return this.#toldToRetire;
  }

  /** Learns which event the server plays, before a connection begins. It may be none. */
  learn(described: DescribeEventResponse): void {
    this.#receipts?.describe(described, this.#hello.nonce);
  }

  /** Begins a connection: returns its first frame. It resumes the session that there was before, if any. */
  connect(): PlayRequest {
    this.#retryAfterMs = 0;
    this.#heard = false;
    this.#open = false;
    this.#hasSaidRetire = false;
    this.#matches.disconnect();
    if (this.#hello.resume !== undefined) {
      this.#hello.resume.matches = this.#matches.known;
    }
    return { messages: [{ body: { $case: "hello", value: this.#hello } }] };
  }

  /**
   * Takes in a frame that came at a time, now if none is named, and returns the one to send back; undefined if there is
   * nothing to say.
   *
   * @throws whatever a bot threw
   */
  receive(frame: PlayResponse, arrivedMs = this.#clock()): PlayRequest | undefined {
    this.#heard = true;
    for (const message of frame.messages) {
      this.#take(message, arrivedMs);
    }
    return this.ready();
  }

  /**
   * Returns the frame with all answers that became ready; undefined if none did.
   *
   * @throws whatever a bot threw
   */
  ready(): PlayRequest | undefined {
    const replies = this.#matches.takeReplies();
    // They are sent together, so the time of each ends with the last.
    const now = this.#clock();
    const choices = replies.map(({ choice, askedMs }): BotMessage => {
      return { body: { $case: "choice", value: { ...choice, thoughtMs: Math.round(now - askedMs) } } };
    });
    return this.#frame([...choices, ...this.#retirement()]);
  }

  /**
   * Takes no more seats: returns the frame that says so; undefined if that was said, or cannot be said now. It is said
   * again on each connection that comes after this one.
   */
  retire(): PlayRequest | undefined {
    this.#toldToRetire = true;
    return this.#frame(this.#retirement());
  }

  /** Returns the frame that ends the session; undefined if it is not open. */
  leave(sentence: string): PlayRequest | undefined {
    const goodbye: Goodbye = { sentence, fault: Fault.FAULT_UNSPECIFIED, retryAfterMs: 0 };
    return this.#frame(this.#open ? [{ body: { $case: "goodbye", value: goodbye } }] : []);
  }

  /** Learns how the connection ended, and says what comes now. Part of a pause is chance: jitter, from 0 up to 1. */
  lost(ending: Ending, jitter: number): Next {
    const isUnknownHere = NOT_LET_IN.includes(ending.status) && !this.#heard && this.#hello.resume !== undefined;
    if (isUnknownHere) {
      this.#loseSession(ending.sentence);
    }
    if (this.#farewell !== undefined) {
      // A status that says what was wrong counts for more than the words before it.
      const isInOrder = isUnknownHere || BROKEN.includes(ending.status);
      return isInOrder
        ? { exitCode: EXIT_OK, sentence: `said goodbye: ${this.#farewell}` }
        : { exitCode: EXIT_SESSION_ENDED, sentence: `ended the session: ${this.#farewell}` };
    }
    return this.#next(ending, { isUnknownHere, jitter });
  }

  #next(ending: Ending, { isUnknownHere, jitter }: { isUnknownHere: boolean; jitter: number }): Next {
    const retryAfterMs = this.#retryAfterMs || ending.retryAfterMs;
    if (isUnknownHere || this.#heard || retryAfterMs > 0) {
      this.#patience.renew(this.#clock());
    }
    if (retryAfterMs > 0) {
      return { pauseMs: retryAfterMs * (1 + jitter / 4) };
    }
    const reason = `(${status[ending.status]}): ${ending.sentence || "without a word"}`;
    if (!isUnknownHere && !BROKEN.includes(ending.status)) {
      return { exitCode: EXIT_SESSION_ENDED, sentence: `ended the session ${reason}` };
    }
    if (this.#patience.isOver(this.#clock(), this.#resumeWindowMs)) {
      return { exitCode: EXIT_SESSION_ENDED, sentence: `does not answer ${reason}` };
    }
    return { pauseMs: this.#patience.next() * (1 - jitter / 2) };
  }

  /** Ends the session. A new one begins with the next connection, unless none is needed: then this is the farewell. */
  #loseSession(sentence: string): void {
    const { begun } = this.#matches;
    const inAll = this.#hello.matchesInAll;
    if (this.#isRetiring || (inAll > 0 && begun >= inAll)) {
      this.#farewell = sentence;
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
    if (!this.#isRetiring || this.#hasSaidRetire || !this.#open) {
      return [];
    }
    this.#hasSaidRetire = true;
    return [{ body: { $case: "retire", value: {} } }];
  }

  #frame(messages: BotMessage[]): PlayRequest | undefined {
    for (const message of messages) {
      this.#log.debug(() => `went: ${JSON.stringify(BotMessage.toJSON(message))}`);
    }
    return messages.length > 0 ? { messages } : undefined;
  }

  #take(message: ServerMessage, arrivedMs: number): void {
    const body = message.body;
    if (body?.$case !== "welcome") {
      this.#log.debug(() => `came: ${JSON.stringify(ServerMessage.toJSON(message))}`); // Welcome holds a secret.
    }
    switch (body?.$case) {
      case "welcome":
        return this.#welcomed(body.value);
      case "draining":
        return this.#log.info(`the server is going down: ${body.value.sentence}`);
      case "eventNotice":
        return this.#log.info(`event: ${body.value.sentence}`);
      case "goodbye":
        return this.#dismissed(body.value);
      default: // A message of an unknown kind has no body.
        return this.#matches.take(message, arrivedMs);
    }
  }

  #welcomed({ games, resumed, sessionId, resumeToken, limits }: Welcome): void {
    this.#log.info(`connected${resumed ? " again" : ""}; games: ${games.map(({ game }) => game).join(", ")}`);
    if (!resumed) {
      this.#matches.clear();
    }
    this.#hello.resume = { sessionId, resumeToken, matches: [] };
    this.#resumeWindowMs = limits?.resumeWindowMs ?? 0;
    this.#open = true;
  }

  /** Ends the session: for good, or until the time that the server names. */
  #dismissed({ sentence, fault, retryAfterMs }: Goodbye): void {
    this.#open = false;
    if (retryAfterMs === 0 || fault !== Fault.FAULT_UNSPECIFIED) {
      this.#farewell = sentence;
      return;
    }
    this.#log.info(`the server said goodbye for now: ${sentence}`);
    this.#loseSession(sentence);
    this.#retryAfterMs = retryAfterMs;
  }
}
