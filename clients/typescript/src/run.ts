import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import type { BotFactory } from "./bot.js";
import { plain, standardError } from "./log.js";
import { readOptions, USAGE } from "./options.js";
import { ignoreOutputErrors, leaveOutNameWarning, writeError } from "./output.js";
import { Player, SDK } from "./player.js";
import { type Identity, readSettings, type Settings } from "./settings.js";
import { play, type Stop } from "./transport.js";
import { UsageError } from "./usage.js";
import { VERSION } from "./version.js";

const EXIT_OK = 0;
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const EXIT_SESSION_ENDED = 3;

/**
 * Play with the bots that a factory makes until the server says goodbye, then exit the process: the whole main
 * program of a bot. The command line and the environment say where it connects.
 */
export async function run(factory: BotFactory, identity: Identity): Promise<never> {
  ignoreOutputErrors();
  leaveOutNameWarning();
  process.exit(await exitCodeOf(factory, identity));
}

async function exitCodeOf(factory: BotFactory, identity: Identity): Promise<number> {
  try {
    const options = readOptions(process.argv.slice(2));
    if (options.help || options.version) {
      process.stdout.write(options.help ? USAGE : `${versionsOf(identity)}\n`);
      return EXIT_OK;
    }
    return await playBy(readSettings(identity, options, process.env), factory);
  } catch (error) {
    const isUsage = error instanceof UsageError;
    writeError(isUsage ? `${plain(error.message)}\n` : `the bot failed: ${inspect(error)}\n`);
    return isUsage ? EXIT_USAGE : EXIT_FAILED;
  }
}

function versionsOf({ name, version }: Identity): string {
  return `${[name, version].filter(Boolean).join(" ")} (${SDK} ${VERSION})`;
}

async function playBy({ player, server, keep, verbose, launched }: Settings, factory: BotFactory): Promise<number> {
  const log = standardError({ verbose });
  if (launched) {
    endWithStandardInput();
  }
  const over = await play(new Player(factory, player, { log, keep }), server, ordersToStop(launched), log);
  if (over.exitCode === EXIT_SESSION_ENDED) {
    log.error(over.sentence);
  } else if (over.exitCode === EXIT_OK) {
    log.info(over.sentence);
  }
  return over.exitCode;
}

/** End the process when the one that started it ends, however that happens. */
function endWithStandardInput(): void {
  process.stdin.on("close", () => process.exit(EXIT_SESSION_ENDED));
  process.stdin.on("error", () => process.exit(EXIT_SESSION_ENDED));
  process.stdin.resume();
}

/** Return the orders of signals: the first one to retire, the second one to leave; if launched, the first to leave. */
function ordersToStop(launched: boolean): Stop {
  const leave = new AbortController();
  const retire = launched ? leave : new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => (retire.signal.aborted ? leave : retire).abort());
  }
  // The shell and the kernel both send SIGHUP when a terminal closes, so it never counts as the second order.
  const isIgnored = isStartedByNohup();
  process.on("SIGHUP", () => isIgnored || retire.abort());
  return { retire: retire.signal, leave: leave.signal };
}

/**
 * Return true if `nohup` started the process from a terminal. Node.js forgets at its start which signals were ignored.
 * But nohup also replaces a terminal as standard input by a file that can only be written, which nobody else does.
 */
function isStartedByNohup(): boolean {
  try {
    return /^flags:\s*[0-7]*1$/m.test(readFileSync("/proc/self/fdinfo/0", "utf8"));
  } catch {
    return false;
  }
}
