/** Writes to standard error what somebody who watches the bot wants to know. */
export const log = {
  /** Whether every message is shown that comes and goes. */
  verbose: false,

  debug(text: string, message: () => unknown): void {
    if (this.verbose) {
      write("DEBUG", `${text} ${JSON.stringify(message())}`);
    }
  },
  info: (text: string): void => write("INFO", text),
  warn: (text: string): void => write("WARN", text),
  error: (text: string): void => write("ERROR", text),
};

function write(level: string, text: string): void {
  process.stderr.write(`${new Date().toISOString()} ${level} ${text}\n`);
}
