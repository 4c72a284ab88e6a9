import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { inspect } from "node:util";
import type { BotFactory } from "./bot.js";
import { BotError } from "./bot-error.js";
import type { AskedDecision } from "./decisions.js";
import { messageOf } from "./events.js";
import { type Log, plain, SILENCE, standardError } from "./log.js";
import { readOptions, USAGE } from "./options.js";
import { ignoreOutputErrors, leaveOutNameWarning, writeError } from "./output.js";
import { Player, SDK } from "./player.js";
import { type RunOptions, readSettings, type Settings } from "./settings.js";
import { summary } from "./summary.js";
import { EXIT_SESSION_ENDED, type Over, play, type Stop } from "./transport.js";
import { UsageError } from "./usage.js";
import { VERSION } from "./version.js";
import { isServing, serveBots, Workers } from "./workers.js";

const EXIT_OK = 0;
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

/**
 * Play with the bots that a factory makes until the server says goodbye, then exit the process: the whole main
 * program of a bot. The command line and the environment say where it connects. With `threads`, each worker runs the
 * same program up to this call.
 */
export async function run(factory: BotFactory, options: RunOptions): Promise<never> {
  if (isServing) {
    return serveBots(factory);
  }
  ignoreOutputErrors();
  leaveOutNameWarning();
  process.exit(await exitCodeOf(factory, options));
}

async function exitCodeOf(factory: BotFactory, options: RunOptions): Promise<number> {
  try {
    const words = readOptions(process.argv.slice(2));
    if (words.help || words.version) {
      process.stdout.write(words.help ? `usage: ${program()} [options]\n\n${USAGE}` : `${versionsOf(options)}\n`);
      return EXIT_OK;
    }
    return await playBy(readSettings(options, words, process.env), factory, options);
  } catch (error) {
    if (!(error instanceof UsageError)) {
      return failedBy(error);
    }
    writeError(`usage: ${program()} [options]; --help lists them\nerror: ${plain(error.message)}\n`);
    return EXIT_USAGE;
  }
}

/** Show what was thrown, and where; the sentence comes last, since a runner shows the last line. */
function failedBy(error: unknown): number {
  const isBots = error instanceof BotError;
  const sentence = isBots ? error.message : `the bot failed: ${messageOf(error)}`;
  writeError(`${inspect(isBots ? error.cause : error)}\n${plain(sentence)}\n`);
  return EXIT_FAILED;
}

function program(): string {
  return basename(process.argv[1] ?? "");
}

function versionsOf({ name, version }: RunOptions): string {
  return `${[name, version].filter(Boolean).join(" ")} (${SDK} ${VERSION})`;
}

async function playBy(settings: Settings, factory: BotFactory, options: RunOptions): Promise<number> {
  const { server, keep, keepDecision, verbose, launched, strict } = settings;
  const log = logOf(settings, options);
  const keepAsked = keepDecision && ((asked: AskedDecision) => keepDecision(asked, log));
  const surroundings = { log, verbose, keep, keepDecision: keepAsked };
  const workers = options.threads ? new Workers(options.threads) : undefined;
  await workers?.ready();
  const player = new Player(workers ? (match) => workers.make(match) : factory, settings.player, surroundings);
  const playing = play(player, server, ordersToStop(launched), log);
  const ends = [playing, ...(workers ? [workers.dead] : []), ...(launched ? [endOfStandardInput()] : [])];
  const exitCode = await Promise.race(ends).then((over) => over.exitCode, failedBy);
  if (player.summary.matches > 0) {
    log(summary(player.summary));
  }
  return exitCode === EXIT_OK && strict && !player.isClean ? EXIT_FAILED : exitCode;
}

/** Return a log that writes to standard error, and to the author's own. */
function logOf({ logFormat }: Settings, { log: own = SILENCE }: RunOptions): Log {
  const write = standardError(logFormat);
  return (event) => {
    write(event);
    own(event);
  };
}

/** Wait until the process that started this one ends, however that happens. */
async function endOfStandardInput(): Promise<Over> {
  await new Promise((resolve) => {
    process.stdin.on("close", resolve);
    process.stdin.on("error", resolve);
    process.stdin.resume();
  });
  return { exitCode: EXIT_SESSION_ENDED, sentence: "the program that started the bot has ended" };
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
