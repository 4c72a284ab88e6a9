import { writeError } from "./output.js";

/** Receive what a bot reports, one sentence at a time. */
export interface Log {
  /** True if `debug` is shown; if it is, the server is asked for the cost of each answer. */
  readonly verbose?: boolean;
  /** Report a detail; the text is made only if it is shown. */
  debug(text: () => string): void;
  /** Report an event. */
  info(text: string): void;
  /** Report what its author should look into. */
  warn(text: string): void;
  /** Report why the bot ends. */
  error(text: string): void;
}

/** Characters that mislead a terminal, or a program that reads lines: a server may send any in a sentence. */
const MISLEADING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A log that drops everything. */
export const SILENCE: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Return a log that writes a line for each sentence to standard error, debug lines only if it is verbose. */
export function standardError({ verbose }: { readonly verbose: boolean }): Log {
  return {
    verbose,
    debug: (text) => verbose && write("DEBUG", text()),
    info: (text) => write("INFO", text),
    warn: (text) => write("WARNING", text),
    error: (text) => write("ERROR", text),
  };
}

/** Return a text with each misleading character as an escape, like `\x1b` or `\u202e`. */
export function plain(text: string): string {
  return text.replace(MISLEADING, escapeOf);
}

function escapeOf(character: string): string {
  const short: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
  const code = (character.codePointAt(0) ?? 0).toString(16);
  const [letter, digits] = code.length > 4 ? ["U", 8] : code.length > 2 ? ["u", 4] : ["x", 2];
  return short[character] ?? `\\${letter}${code.padStart(digits, "0")}`;
}

function write(level: string, text: string): void {
  writeError(`${new Date().toISOString()} ${level} ${plain(text)}\n`);
}
