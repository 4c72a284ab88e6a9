import { readFileSync } from "node:fs";
import { getSystemErrorMap } from "node:util";

/** What the bot comes in with, as the command line says it. */
export interface TokenOptions {
  /** The token itself; empty if it was not given. */
  readonly token: string;
  /** The file that it is in; empty if none was named. */
  readonly "token-file": string;
}

/** There is no token where one was named, or it cannot be sent. */
export class TokenError extends Error {}

/**
 * Returns a token that can be sent, of the command line or else of the environment; empty if there is none. The error
 * does not show one that cannot be sent.
 *
 * @throws TokenError
 */
export function tokenOf(options: TokenOptions, environment = process.env): string {
  const path = options["token-file"] || environment["ORDAGO_TOKEN_FILE"];
  const token = options.token || (path ? tokenIn(path) : (environment["ORDAGO_TOKEN"] ?? ""));
  if (!/^[ -~]*$/.test(token)) {
    throw new TokenError("the token holds a character that no token has; was something else copied along with it?");
  }
  return token;
}

function tokenIn(path: string): string {
  const token = contents(path).trim();
  if (token === "") {
    throw new TokenError(`--token-file: ${path} holds no token; that of a runner can be read only once`);
  }
  return token;
}

function contents(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { errno, message } = error as NodeJS.ErrnoException;
    throw new TokenError(`--token-file: cannot read ${path}: ${getSystemErrorMap().get(errno ?? 0)?.[1] ?? message}`);
  }
}
