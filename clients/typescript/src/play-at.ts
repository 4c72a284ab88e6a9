import { randomBytes } from "node:crypto";
import type { BotFactory } from "./bot.js";
import { decisionsFile } from "./decisions.js";
import { type Log, SILENCE, type SummaryFields } from "./log.js";
import { look } from "./look.js";
import type { OnError } from "./matches.js";
import { type Address, isEvent, isToken, parseAddress } from "./parse.js";
import { Player } from "./player.js";
import { securityOf, type Tls } from "./tls.js";
import { EXIT_SESSION_ENDED, play, type Stop } from "./transport.js";

/** The fewest bytes that the contract allows: 128 bits are too many to guess. */
const NONCE_BYTES = 16;

/** The bot, and the way in which it plays. */
export interface PlayAtOptions {
  /** The name of the bot, unless its token has one. */
  readonly name: string;
  /** The version of the bot. */
  readonly version?: string;
  /** The games that it plays; none for all that the server offers. */
  readonly games?: readonly string[];
  /** The token of the bot; by default it sends none. */
  readonly token?: string;
  /** The event to enter; by default the server's ladder, or its only event. */
  readonly event?: string;
  /** Certificates for TLS, `{}` for the usual authorities; by default it connects in the clear. */
  readonly tls?: Tls;
  /** The number of matches that it plays at once; by default the server's limit. */
  readonly maxMatches?: number;
  /** The number of decisions that it takes at once; by default the server's limit. */
  readonly maxOpenDecisions?: number;
  /** The number of matches after which it takes no more; by default never. */
  readonly matchesInAll?: number;
  /** What comes of a bot that fails: "stop", the default, rejects with BotError; "default" takes the default answer. */
  readonly onError?: OnError;
  /** A file to append each decision to that the bot was asked. */
  readonly logDecisions?: string;
  /** Receives all that is logged; `standardError()` writes it. By default nothing is. */
  readonly log?: Log;
  /** Takes no more seats, and ends when the running matches are over; if not connected, at once. */
  readonly retire?: AbortSignal;
  /** Says goodbye, and forfeits the running matches. */
  readonly leave?: AbortSignal;
}

/** The end of a session, and what came of it. */
export interface Outcome {
  /** The reason of the server's goodbye; undefined if the bot was told to end before. */
  readonly goodbye: string | undefined;
  /** The results and faults of all matches. */
  readonly summary: SummaryFields;
}

/** The server ended the session for good, or cannot be reached. */
export class SessionEndedError extends Error {
  override readonly name = "SessionEndedError";
}

/**
 * Play at a server until it says goodbye, for programs that do more than that. It reads neither command line nor
 * environment, handles no signals, and never ends the process.
 *
 * @param address HOST:PORT, [IPv6]:PORT or unix:PATH
 *
 * @throws RangeError if the address, the token or the name of the event cannot be one; SessionEndedError; BotError
 */
export async function playAt(address: string, factory: BotFactory, options: PlayAtOptions): Promise<Outcome> {
  const { token = "", event = "", tls, log = SILENCE, logDecisions, retire, leave, ...bot } = options;
  const place = placeOf(address, token, event);
  const keep = logDecisions === undefined ? undefined : decisionsFile(logDecisions);
  const keepDecision = keep && ((asked: Parameters<typeof keep>[0]) => keep(asked, log));
  const player = new Player(factory, { ...bot, nonce: randomBytes(NONCE_BYTES) }, { log, keepDecision });
  const { credentials, trust } = securityOf(tls);
  const server = { address, token, event, credentials, look: (stop: AbortSignal) => look(place, trust, stop) };
  const over = await play(player, server, ordersOf(retire, leave), log);
  if (over.exitCode === EXIT_SESSION_ENDED) {
    throw new SessionEndedError(over.sentence);
  }
  return { goodbye: over.goodbye, summary: player.summary };
}

/** Return the place of a server. gRPC could not send most other tokens and names, and the bot would try for ever. */
function placeOf(address: string, token: string, event: string): Address {
  const place = parseAddress(address);
  if ("because" in place) {
    throw new RangeError(`'${address}' is not HOST:PORT, [IPv6]:PORT or unix:PATH: ${place.because}`);
  }
  if (!isToken(token)) {
    throw new RangeError("the token has a character that no token has"); // It is secret.
  }
  if (!isEvent(event)) {
    throw new RangeError(`'${event}' is no event: its name has small letters, digits and hyphens`);
  }
  return place;
}

/** Return orders to end, of which the one to leave implies the other. */
function ordersOf(retire: AbortSignal | undefined, leave = new AbortController().signal): Stop {
  return { retire: AbortSignal.any(retire === undefined ? [leave] : [retire, leave]), leave };
}
