/** Hears what somebody who watches a bot wants to know, one sentence at a time. */
export interface Log {
  /** Whether `debug` is heard; if it is, the server is asked to say what each answer cost. */
  readonly verbose?: boolean;
  /** Hears what is only told when everything is; the text is made if it is wanted. */
  debug(text: () => string): void;
  /** Hears how things go. */
  info(text: string): void;
  /** Hears what is not as it should be. */
  warn(text: string): void;
  /** Hears why the bot ends. */
  error(text: string): void;
}

/** What a terminal, or whoever reads line by line, could be misled by: a server may send anything in a sentence. */
const MISLEADING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Hears nothing. */
export const SILENCE: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Returns a log that writes a line for each sentence to standard error; all of them if it is verbose. */
export function standardError({ verbose }: { readonly verbose: boolean }): Log {
  return {
    verbose,
    debug: (text) => verbose && write("DEBUG", text()),
    info: (text) => write("INFO", text),
    warn: (text) => write("WARN", text),
    error: (text) => write("ERROR", text),
  };
}

/** Returns a text in which nothing misleads: as an escape each time, like `\u{1b}`. */
export function plain(text: string): string {
  return text.replace(MISLEADING, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

function write(level: string, text: string): void {
  process.stderr.write(`${new Date().toISOString()} ${level} ${plain(text)}\n`);
}
