import { parseArgs } from "node:util";
import { UsageError } from "./usage.js";

/** The address where a server listens by default. */
export const DEFAULT_ADDRESS = "127.0.0.1:7447";

/** The text that `--help` shows. */
export const USAGE = `options:
  --address HOST:PORT  HOST:PORT of the server, or unix:PATH; default: $ORDAGO_ADDRESS, or ${DEFAULT_ADDRESS}
  --token-file FILE    file that holds the bot's token; read once; default: $ORDAGO_TOKEN_FILE
  --token TOKEN        the token itself; other programs can see it here; default: $ORDAGO_TOKEN
  --event NAME         event to enter; default: $ORDAGO_EVENT, or the server's ladder, or its only event
  --nonce HEXADECIMAL  16 to 64 bytes in hexadecimal, mixed into the deals; default: $ORDAGO_NONCE, or random
  --tls                connect over TLS; default: if $ORDAGO_TLS is 1
  --tls-ca FILE        PEM file of the authorities to trust; default: $ORDAGO_TLS_CA, or the usual ones
  --tls-cert FILE      PEM file of the bot's own certificate, if the server asks for one; default: $ORDAGO_TLS_CERT
  --tls-key FILE       PEM file of its private key; default: $ORDAGO_TLS_KEY
  --receipts FILE      append receipts of what the server says about its event to this file; default: $ORDAGO_RECEIPTS
  --name NAME          name of the bot, unless its token has one
  --game GAME          game to play; repeatable; default: all that it can play
  --matches NUMBER     matches to play at once; 0: no limit
  --matches-in-all NUMBER
                       matches after which to take no more; 0: never
  --decisions NUMBER   decisions to take at once; 0: no limit
  --on-error WHAT      what comes of a bot that fails: "stop" ends the process, "default" sends the default answer;
                       default: $ORDAGO_ON_ERROR, or stop
  --strict             exit with 1 in place of 0 if anything went wrong: an answer refused or replaced, a match
                       forfeited, a failure of the bot; for tests
  --log-decisions FILE append each decision that the bot is asked to this file; default: $ORDAGO_LOG_DECISIONS
  -v, --verbose        show every message
  --version            show the versions of the bot and of its SDK
  -h, --help           show this

With ORDAGO_LOG=json the log is a JSON object on each line.
With ORDAGO_LAUNCHED=1 the bot ends when its standard input does, since the program that started it has ended.
Ctrl-C, SIGTERM or SIGHUP tells it to stop: it takes no more seats, finishes its matches, and exits. Ctrl-C or SIGTERM
again, or one of them while it is not connected or with ORDAGO_LAUNCHED=1, and it exits at once.

exit codes: 0 the server said goodbye; 1 the bot failed, or --strict and there was a fault; 2 the command line or the
environment is wrong; 3 the server cannot be reached, or ended the session otherwise; 130 stopped by the user.
`;

/** The options in a command line, as they are written there. */
export type Options = ReturnType<typeof readOptions>;

/**
 * Return the options in a command line.
 *
 * @throws UsageError
 */
export function readOptions(words: readonly string[]) {
  const text = { type: "string" } as const;
  const off = { type: "boolean", default: false } as const;
  try {
    return parseArgs({
      args: [...words],
      options: {
        address: text,
        "token-file": text,
        token: text,
        event: text,
        tls: off,
        "tls-ca": text,
        "tls-cert": text,
        "tls-key": text,
        nonce: text,
        receipts: text,
        name: text,
        game: { type: "string", multiple: true, default: [] },
        matches: text,
        "matches-in-all": text,
        decisions: text,
        "on-error": text,
        strict: off,
        "log-decisions": text,
        verbose: { ...off, short: "v" },
        version: off,
        help: { ...off, short: "h" },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message.replaceAll("\n", " ")}`);
  }
}
