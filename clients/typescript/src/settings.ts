import { randomBytes } from "node:crypto";
import { DEFAULT_ADDRESS, type Options, readOptions } from "./options.js";
import type { PlayerSettings } from "./player.js";
import { type Keep, receiptsFile } from "./receipts.js";
import { credentialsOf } from "./tls.js";
import type { Server } from "./transport.js";
import { contentsOf, reasonOf, UsageError } from "./usage.js";

/** The variables of the process by their names. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Who plays, as its author says it. */
export interface Identity {
  /** How the bot is called, unless its token or its command line says it. */
  readonly name: string;
  /** The version of the bot. */
  readonly version?: string;
  /** The games that it plays; none for all that the server offers. */
  readonly games?: readonly string[];
}

/** What the command line and the environment say. */
export interface Settings {
  readonly player: PlayerSettings;
  readonly server: Server;
  readonly keep: Keep | undefined;
  readonly verbose: boolean;
  readonly launched: boolean;
}

const NONCE_BYTES = 16;
/** What a field of Hello can hold. */
const GREATEST_COUNT = 2 ** 32 - 1;

/**
 * Returns what a command line says, and the environment in its place; undefined if it asks for help.
 *
 * @throws UsageError
 */
export function readSettings(
  identity: Identity,
  words: readonly string[],
  environment: Environment,
): Settings | undefined {
  const options = readOptions(words);
  const said = (name: Substitutable) => options[name] ?? (environment[variableOf(name)] || undefined);
  return options.help
    ? undefined
    : {
        player: playerOf(identity, options, said("nonce")),
        server: {
          address: addressOf(said("address")),
          token: tokenOf(options, environment),
          event: eventOf(said("event")),
          credentials: credentialsOf({
            tls: options.tls || Boolean(environment["ORDAGO_TLS"]),
            "tls-ca": said("tls-ca"),
            "tls-cert": said("tls-cert"),
            "tls-key": said("tls-key"),
          }),
        },
        keep: keepOf(said("receipts")),
        verbose: options.verbose,
        launched: Boolean(environment["ORDAGO_LAUNCHED"]),
      };
}

/** An option that a variable stands in for. */
type Substitutable = "address" | "event" | "nonce" | "receipts" | "tls-ca" | "tls-cert" | "tls-key";

function variableOf(option: string): string {
  return `ORDAGO_${option.replaceAll("-", "_").toUpperCase()}`;
}

function playerOf(identity: Identity, options: Options, nonce: string | undefined): PlayerSettings {
  return {
    name: options.name ?? identity.name,
    version: identity.version ?? "",
    games: gamesOf(options.game, identity.games ?? []),
    nonce: nonceOf(nonce),
    maxMatches: count("--matches", options.matches),
    maxOpenDecisions: count("--decisions", options.decisions),
    matchesInAll: count("--matches-in-all", options["matches-in-all"]),
  };
}

function addressOf(address = DEFAULT_ADDRESS): string {
  if (!/^(unix:.+|[^\s/]+:\d{1,5})$/.test(address)) {
    throw new UsageError(`--address: not HOST:PORT or unix:PATH: ${address}`);
  }
  return address;
}

/** Returns the games that are asked for, all of which the bot has to know; or those that it knows. */
function gamesOf(asked: readonly string[], known: readonly string[]): readonly string[] {
  const unknown = asked.find((game) => known.length > 0 && !known.includes(game));
  if (unknown !== undefined) {
    throw new UsageError(`--game: this bot plays ${known.join(", ")}, not ${unknown}`);
  }
  return asked.length > 0 ? asked : known;
}

function count(option: string, text = "0"): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) > GREATEST_COUNT) {
    throw new UsageError(`${option}: not a whole number from 0 to ${GREATEST_COUNT}: ${text}`);
  }
  return Number(text);
}

/** Returns the bytes of a nonce in hexadecimal, or random ones if none is given. */
function nonceOf(text: string | undefined): Uint8Array {
  if (text !== undefined && !/^([0-9a-f]{2}){16,64}$/i.test(text)) {
    throw new UsageError(`--nonce: not 16 to 64 bytes in hexadecimal: ${text}`);
  }
  return text === undefined ? randomBytes(NONCE_BYTES) : Buffer.from(text, "hex");
}

/** Returns the name of an event. Much of what is none could not be sent, and would be tried again and again. */
function eventOf(name = ""): string {
  if (!/^([a-z0-9][a-z0-9-]{0,63})?$/.test(name)) {
    throw new UsageError(`--event: no name of an event, which has small letters, digits and hyphens: ${name}`);
  }
  return name;
}

/** Returns a token that can be sent; empty if there is none. The error does not show one that cannot be sent. */
function tokenOf(options: Options, environment: Environment): string {
  const path = options["token-file"] || environment["ORDAGO_TOKEN_FILE"];
  const token = options.token || (path ? tokenIn(path) : (environment["ORDAGO_TOKEN"] ?? ""));
  if (!/^[ -~]*$/.test(token)) {
    throw new UsageError("the token holds a character that no token has; was something else copied along with it?");
  }
  return token;
}

function tokenIn(path: string): string {
  const token = contentsOf("--token-file", path).toString().trim();
  if (token === "") {
    throw new UsageError(`--token-file: ${path} holds no token; that of a runner can be read only once`);
  }
  return token;
}

function keepOf(path: string | undefined): Keep | undefined {
  try {
    return path === undefined ? undefined : receiptsFile(path);
  } catch (error) {
    throw new UsageError(`--receipts: cannot write to ${path}: ${reasonOf(error)}`);
  }
}
