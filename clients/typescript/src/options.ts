import { parseArgs } from "node:util";
import { UsageError } from "./usage.js";

/** Where a server listens by default. */
export const DEFAULT_ADDRESS = "127.0.0.1:7447";

/** What `--help` shows. */
export const USAGE = `options:
  --address HOST:PORT  the server, or unix:PATH; default: $ORDAGO_ADDRESS, or ${DEFAULT_ADDRESS}
  --token-file FILE    a file that holds the token to come in with; default: $ORDAGO_TOKEN_FILE
  --token TOKEN        the token itself, which other programs can see here; default: $ORDAGO_TOKEN
  --event NAME         the event to come in for; default: $ORDAGO_EVENT, or what the server plays at all times, or the
                       one event that it plays
  --tls                connect over TLS; default: if $ORDAGO_TLS is set
  --tls-ca FILE        PEM: whose word for the server is taken; default: $ORDAGO_TLS_CA, or the authorities that
                       everybody knows
  --tls-cert FILE      PEM: the certificate of the bot, where the server asks for one; default: $ORDAGO_TLS_CERT
  --tls-key FILE       PEM: the private key for --tls-cert; default: $ORDAGO_TLS_KEY
  --nonce HEXADECIMAL  16 to 64 bytes that are mixed into the deals; default: $ORDAGO_NONCE, or chance
  --receipts FILE      append what the server says of its event, to hold it to that later; several bots may share a
                       file; default: $ORDAGO_RECEIPTS, or none
  --name NAME          how the bot is called where its token does not say it
  --game GAME          a game to play; may be repeated; default: all
  --matches NUMBER     how many matches to play at once; 0: no limit
  --matches-in-all NUMBER
                       after how many matches to take no more, and end when all are over; 0: never
  --decisions NUMBER   how many decisions to take at once; 0: no limit
  -v, --verbose        show every message that comes and goes
  -h, --help           show this

With ORDAGO_LAUNCHED=1 the bot ends when its standard input does, as bots do that another program started.
Told to stop, by Ctrl-C or SIGTERM, it takes no more seats, plays its running matches to their end, and ends. Told once
more it leaves at once, as it does while it is not connected, or where it was launched.

exit codes: 0 the server said goodbye; 1 the bot failed; 2 the command line is wrong; 3 the server cannot be reached, or
ended the session otherwise; 130 stopped by the user.
`;

/** What is said in a command line, as it is said. */
export type Options = ReturnType<typeof readOptions>;

/**
 * Returns what is said in a command line.
 *
 * @throws UsageError
 */
export function readOptions(words: readonly string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      args: [...words],
      options: {
        address: text,
        "token-file": text,
        token: text,
        event: text,
        tls: { type: "boolean", default: false },
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
        verbose: { type: "boolean", short: "v", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message.replaceAll("\n", " ")}; --help shows all options`);
  }
}
