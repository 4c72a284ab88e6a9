import { randomBytes } from "node:crypto";
import { decisionsFile } from "./decisions.js";
import { LOG_FORMATS, type Log, type LogFormat } from "./log.js";
import { look } from "./look.js";
import { DEFAULT_ADDRESS, type Options } from "./options.js";
import { isEvent, isToken, LONGEST_TOKEN_BYTES, parseAddress, parseSwitch, parseToken } from "./parse.js";
import type { PlayerSettings } from "./player.js";
import { type Keep, receiptsFile } from "./receipts.js";
import { securityBy } from "./tls.js";
import type { Server } from "./transport.js";
import { firstBytesOf, reasonOf, UsageError, type Value } from "./usage.js";

/** The variables of the process by their names. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The bot, as its author describes it. */
export interface RunOptions {
  /** The name of the bot, unless its token or its command line has one. */
  readonly name: string;
  /** The version of the bot. */
  readonly version?: string;
  /** The games that it plays; none for all that the server offers. */
  readonly games?: readonly string[];
  /** The number of workers that think for the bot; by default it thinks where frames arrive. */
  readonly threads?: number;
  /** Receives all that is logged, too. */
  readonly log?: Log;
}

/** The settings in the command line and the environment. */
export interface Settings {
  readonly player: PlayerSettings;
  readonly server: Server;
  readonly keep: Keep | undefined;
  readonly keepDecision: ReturnType<typeof decisionsFile> | undefined;
  readonly logFormat: LogFormat;
  readonly strict: boolean;
  readonly verbose: boolean;
  readonly launched: boolean;
}

/** An option that has a variable of the same name. */
type Substitutable =
  | "address"
  | "event"
  | "log-decisions"
  | "nonce"
  | "on-error"
  | "receipts"
  | "tls-ca"
  | "tls-cert"
  | "tls-key"
  | "token"
  | "token-file";

const ON_ERROR = ["stop", "default"] as const;
const NONCE_BYTES = 16;
/** The maximum of a `uint32`, the type of the counts in Hello. */
const GREATEST_COUNT = 2 ** 32 - 1;

/**
 * Return the settings in a command line, and in the variables that stand in for missing options.
 *
 * @throws UsageError
 */
export function readSettings(identity: RunOptions, options: Options, environment: Environment): Settings {
  const value = (option: Substitutable) => givenFor(option, options, environment);
  const { credentials, trust } = securityBy({
    tls: options.tls || isOn("ORDAGO_TLS", environment),
    "tls-ca": value("tls-ca"),
    "tls-cert": value("tls-cert"),
    "tls-key": value("tls-key"),
  });
  const address = value("address") ?? { source: "--address", text: DEFAULT_ADDRESS };
  const place = addressOf(address);
  return {
    player: {
      ...playerOf(identity, options, value("nonce")),
      onError: oneOf(ON_ERROR, value("on-error") ?? { source: "--on-error", text: "stop" }),
    },
    server: {
      address: address.text,
      token: tokenOf(options, environment),
      event: eventOf(value("event")),
      credentials,
      look: (stop) => look(place, trust, stop),
    },
    keep: opened(receiptsFile, value("receipts")),
    keepDecision: opened(decisionsFile, value("log-decisions")),
    logFormat: oneOf(LOG_FORMATS, { source: "ORDAGO_LOG", text: environment["ORDAGO_LOG"] || "text" }),
    strict: options.strict,
    verbose: options.verbose,
    launched: isOn("ORDAGO_LAUNCHED", environment),
  };
}

/** Return the value of an option, or else of its variable. An empty variable counts as unset. */
function givenFor(option: Substitutable, options: Options, environment: Environment): Value | undefined {
  const variable = `ORDAGO_${option.replaceAll("-", "_").toUpperCase()}`;
  const given = options[option];
  const text = given ?? (environment[variable] || undefined);
  return text === undefined ? undefined : { source: given === undefined ? variable : `--${option}`, text };
}

function isOn(variable: string, environment: Environment): boolean {
  const text = environment[variable] ?? "";
  const parsed = parseSwitch(text);
  if ("because" in parsed) {
    throw new UsageError(`${variable}: '${text}' is neither 1 nor 0`);
  }
  return parsed.on;
}

function playerOf(identity: RunOptions, options: Options, nonce: Value | undefined): PlayerSettings {
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

function addressOf({ source, text }: Value) {
  const address = parseAddress(text);
  if ("because" in address) {
    throw new UsageError(`${source}: '${text}' is not HOST:PORT, [IPv6]:PORT or unix:PATH: ${address.because}`);
  }
  return address;
}

/** Return the games of the command line, all of which the bot has to know, or else those that it knows. */
function gamesOf(asked: readonly string[], known: readonly string[]): readonly string[] {
  const unknown = asked.find((game) => known.length > 0 && !known.includes(game));
  if (unknown !== undefined) {
    throw new UsageError(`--game: this bot plays ${known.join(", ")}, not ${unknown}`);
  }
  return asked.length > 0 ? asked : known;
}

function count(option: string, text = "0"): number {
  if (!/^[0-9]{1,10}$/.test(text) || Number(text) > GREATEST_COUNT) {
    throw new UsageError(`${option}: not a whole number from 0 to ${GREATEST_COUNT}: ${text}`);
  }
  return Number(text);
}

/** Return the bytes of a nonce in hexadecimal, or random ones if none is given. */
function nonceOf(value: Value | undefined): Uint8Array {
  if (value !== undefined && !/^([0-9a-f]{2}){16,64}$/i.test(value.text)) {
    throw new UsageError(`${value.source}: not 16 to 64 bytes in hexadecimal: ${value.text}`);
  }
  return value === undefined ? randomBytes(NONCE_BYTES) : Buffer.from(value.text, "hex");
}

/** Return the name of an event. gRPC could not send most other texts, and the bot would try again and again. */
function eventOf(value: Value = { source: "--event", text: "" }): string {
  if (!isEvent(value.text)) {
    const form = "the name of an event has small letters, digits and hyphens";
    throw new UsageError(`${value.source}: ${form}, not: ${value.text}`);
  }
  return value.text;
}

/** Return the token; empty if there is none. Options beat variables; among variables a file beats a token. */
function tokenOf(options: Options, environment: Environment): string {
  const file = givenFor("token-file", options, environment);
  const token = givenFor("token", options, environment);
  if (options.token === undefined && file !== undefined) {
    return tokenIn(file);
  }
  // The error leaves the token out, since it is secret.
  if (token !== undefined && !isToken(token.text)) {
    throw new UsageError(`${token.source}: the token holds a character that no token has`);
  }
  return token?.text ?? "";
}

function tokenIn({ source, text: path }: Value): string {
  try {
    const parsed = parseToken(firstBytesOf(path, LONGEST_TOKEN_BYTES + 1));
    if ("token" in parsed) {
      return parsed.token;
    }
    throw new UsageError(parsed.because);
  } catch (error) {
    throw new UsageError(`${source}: ${path} cannot be used: ${reasonOf(error)}`);
  }
}

function oneOf<Text extends string>(texts: readonly [Text, Text], { source, text }: Value): Text {
  const found = texts.find((known) => known === text);
  if (found === undefined) {
    throw new UsageError(`${source}: '${text}' is neither ${texts.join(" nor ")}`);
  }
  return found;
}

/** Open a file to write to, if it is named. */
function opened<Writer>(open: (path: string) => Writer, value: Value | undefined): Writer | undefined {
  try {
    return value === undefined ? undefined : open(value.text);
  } catch (error) {
    throw new UsageError(`${value?.source}: cannot write to ${value?.text}: ${reasonOf(error)}`);
  }
}
