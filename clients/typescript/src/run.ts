import { inspect } from "node:util";
import type { BotFactory } from "./bot.js";
import { plain, standardError } from "./log.js";
import { USAGE } from "./options.js";
import { Player } from "./player.js";
import { type Identity, readSettings, type Settings } from "./settings.js";
import { play, type Stop } from "./transport.js";
import { UsageError } from "./usage.js";

const EXIT_OK = 0;
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const EXIT_SESSION_ENDED = 3;

/**
 * Plays with the bots that a factory makes until the server says goodbye, then leaves the process: it is the whole main
 * program of a bot. Where to connect and how to come in says the command line, or the environment.
 */
export async function run(factory: BotFactory, identity: Identity): Promise<never> {
  process.exit(await exitCodeOf(factory, identity));
}

async function exitCodeOf(factory: BotFactory, identity: Identity): Promise<number> {
  try {
    const settings = readSettings(identity, process.argv.slice(2), process.env);
    if (settings === undefined) {
      process.stdout.write(USAGE);
      return EXIT_OK;
    }
    return await playBy(settings, factory);
  } catch (error) {
    const isUsage = error instanceof UsageError;
    process.stderr.write(isUsage ? `${plain(error.message)}\n` : `the bot failed: ${inspect(error)}\n`);
    return isUsage ? EXIT_USAGE : EXIT_FAILED;
  }
}

async function playBy({ player, server, keep, verbose, launched }: Settings, factory: BotFactory): Promise<number> {
  const log = standardError({ verbose });
  if (launched) {
    endWithStandardInput();
  }
  const over = await play(new Player(factory, player, { log, keep }), server, toldToStop(launched), log);
  log[over.exitCode === EXIT_SESSION_ENDED ? "error" : "info"](over.sentence);
  return over.exitCode;
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
  return { retire: retire.signal, leave: leave.signal };
}
