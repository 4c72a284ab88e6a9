import { setTimeout as sleep } from "node:timers/promises";
import type { ChannelCredentials } from "@grpc/grpc-js";
import { Connection } from "./connection.js";
import { type Log, SILENCE } from "./log.js";
import type { Player } from "./player.js";

const EXIT_INTERRUPTED = 130;
/** More than a timer of JavaScript takes would be no time at all. */
const LONGEST_SLEEP_MS = 2 ** 31 - 1;

/** Where to play. */
export interface Server {
  /** HOST:PORT, or unix:PATH. */
  readonly address: string;
  /** What the bot comes in with; empty where none is asked for. */
  readonly token: string;
  /** The event to come in for; empty: what the server plays at all times, or the one event that it plays. */
  readonly event: string;
  /** How the connection is kept safe. */
  readonly credentials: ChannelCredentials;
}

/** How a player is told to end. With one signal for both it leaves at once. */
export interface Stop {
  /** It takes no more seats, and ends when its running matches are over. Where it is not connected it leaves. */
  readonly retire: AbortSignal;
  /** It says goodbye, and forfeits what it plays. */
  readonly leave: AbortSignal;
}

/** Why a bot is over. */
export interface Over {
  /** The exit code of its process: 0, 3, or 130 where it was told to stop. */
  readonly exitCode: number;
  /** The reason. */
  readonly sentence: string;
}

const STOPPED: Over = { exitCode: EXIT_INTERRUPTED, sentence: "the bot was told to stop" };

/**
 * Plays until the server says goodbye, until coming back is of no use, or until the player is told to leave. A
 * connection that breaks is taken up again.
 *
 * @throws whatever a bot threw
 */
export async function play(player: Player, server: Server, stop: Stop, log: Log = SILENCE): Promise<Over> {
  for (;;) {
    const ending = await new Connection(player, server, stop, log).run();
    if (ending === "left") {
      return STOPPED;
    }
    const next = player.lost(ending, Math.random());
    if ("exitCode" in next) {
      return { exitCode: next.exitCode, sentence: `the server at ${server.address} ${next.sentence}` };
    }
    const pauseMs = Math.min(Math.round(next.pauseMs), LONGEST_SLEEP_MS);
    log.info(`the connection broke (${ending.sentence || "without a word"}); trying again in ${pauseMs} ms`);
    if (await isStoppedWithin(pauseMs, player, stop)) {
      return STOPPED;
    }
  }
}

/** Waits before the next attempt to connect; says whether the player was told to end meanwhile, or just before. */
async function isStoppedWithin(milliseconds: number, player: Player, { retire, leave }: Stop): Promise<boolean> {
  // Who retires already comes back to play on, and leaves when that is said once more.
  const signal = player.toldToRetire ? leave : retire;
  await sleep(milliseconds, undefined, { signal }).catch(() => {});
  return signal.aborted;
}
