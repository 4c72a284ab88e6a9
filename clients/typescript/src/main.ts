#!/usr/bin/env node
// The random bot: it plays every game that a server offers, without knowing any, by chance.
import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import type { ChannelCredentials } from "@grpc/grpc-js";
import { log } from "./log.js";
import { Player } from "./player.js";
import { random } from "./random.js";
import { TokenError, tokenOf, type TokenOptions } from "./token.js";
import { credentialsOf, TlsError, type TlsOptions } from "./tls.js";
import { play, SessionEndedError, type Stop } from "./transport.js";

const VERSION = "0.1.0";
const NONCE_BYTES = 16;
const EXIT_USAGE = 2;
const EXIT_SESSION_ENDED = 3;
const EXIT_INTERRUPTED = 130;
const USAGE = `usage: main.js [options]

--address HOST:PORT  the server, or unix:PATH; default: $ORDAGO_ADDRESS, or 127.0.0.1:7447
--token-file FILE    a file that holds the token to come in with; default: $ORDAGO_TOKEN_FILE
--token TOKEN        the token itself, which other programs can see here; default: $ORDAGO_TOKEN
--tls                connect over TLS; default: if $ORDAGO_TLS is set
--tls-ca FILE        PEM: whose word for the server is taken; default: $ORDAGO_TLS_CA, or the authorities that
                     everybody knows
--tls-cert FILE      PEM: the certificate of the bot, where the server asks for one; default: $ORDAGO_TLS_CERT
--tls-key FILE       PEM: the private key for --tls-cert; default: $ORDAGO_TLS_KEY
--nonce HEXADECIMAL  16 to 64 bytes that are mixed into the deals; default: $ORDAGO_NONCE, or chance
--name NAME          how the bot is called where its token does not say it
--game GAME          a game to play; may be repeated; default: all
--matches NUMBER     how many matches to play at once; 0: no limit
--matches-in-all NUMBER
                     after how many matches to take no more, and end when all are over; 0: never
--decisions NUMBER   how many decisions to take at once; 0: no limit
-v, --verbose        show every message that comes and goes
-h, --help           show this
`;

const environment = process.env;

function readArguments() {
  try {
    return parseArgs({
      options: {
        address: { type: "string", default: environment["ORDAGO_ADDRESS"] || "127.0.0.1:7447" },
        "token-file": { type: "string", default: "" },
        token: { type: "string", default: "" },
        tls: { type: "boolean", default: Boolean(environment["ORDAGO_TLS"]) },
        "tls-ca": { type: "string", default: environment["ORDAGO_TLS_CA"] || undefined },
        "tls-cert": { type: "string", default: environment["ORDAGO_TLS_CERT"] || undefined },
        "tls-key": { type: "string", default: environment["ORDAGO_TLS_KEY"] || undefined },
        nonce: { type: "string", default: environment["ORDAGO_NONCE"] ?? "" },
        name: { type: "string", default: "random-typescript" },
        game: { type: "string", multiple: true, default: [] },
        matches: { type: "string", default: "0" },
        "matches-in-all": { type: "string", default: "0" },
        decisions: { type: "string", default: "0" },
        verbose: { type: "boolean", short: "v", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    }).values;
  } catch (error) {
    return stop(`${(error as Error).message}\n\n${USAGE.trimEnd()}`);
  }
}

function stop(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(EXIT_USAGE);
}

function wholeNumber(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : stop(`not a whole number: ${text}`);
}

/** Returns the bytes of a nonce in hexadecimal, or random ones if none is given. */
function nonceOf(text: string): Uint8Array {
  if (text === "") {
    return randomBytes(NONCE_BYTES);
  }
  return /^([0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, "hex") : stop(`a nonce is hexadecimal, not: ${text}`);
}

function tokenFrom(options: TokenOptions): string {
  try {
    return tokenOf(options);
  } catch (error) {
    if (!(error instanceof TokenError)) {
      throw error;
    }
    return stop(error.message);
  }
}

function connectionOf(options: TlsOptions): ChannelCredentials {
  try {
    return credentialsOf(options);
  } catch (error) {
    if (!(error instanceof TlsError)) {
      throw error;
    }
    return stop(error.message);
  }
}

/** Ends the process when the one that started it ends, however that happens. */
function endWithStandardInput(): void {
  process.stdin.on("close", () => process.exit(EXIT_SESSION_ENDED));
  process.stdin.on("error", () => process.exit(EXIT_SESSION_ENDED));
  process.stdin.resume();
}

/** Returns what the first signal tells, to retire, and what the second does, to leave; where it is launched the first. */
function toldToStop(launched: boolean): Stop {
  const leave = new AbortController();
  const retire = launched ? leave : new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => (retire.signal.aborted ? leave : retire).abort());
  }
  return { retire: retire.signal, leave };
}

async function main(): Promise<number> {
  const values = readArguments();
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  log.verbose = values.verbose;
  const launched = Boolean(environment["ORDAGO_LAUNCHED"]);
  if (launched) {
    endWithStandardInput();
  }
  const player = new Player(random, {
    bot: { name: values.name, version: VERSION, build: "" },
    nonce: nonceOf(values.nonce),
    games: values.game,
    maxMatches: wholeNumber(values.matches),
    matchesInAll: wholeNumber(values["matches-in-all"]),
    maxOpenDecisions: wholeNumber(values.decisions),
  });
  const server = { address: values.address, token: tokenFrom(values), credentials: connectionOf(values) };
  try {
    await play(player, server, toldToStop(launched));
  } catch (error) {
    if (!(error instanceof SessionEndedError)) {
      throw error;
    }
    log.error(error.message);
    return EXIT_SESSION_ENDED;
  }
  if (player.farewell === undefined) {
    return EXIT_INTERRUPTED;
  }
  log.info(`the server said goodbye: ${player.farewell.sentence}`);
  return 0;
}

process.exit(await main());
