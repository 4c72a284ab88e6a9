import { setTimeout as sleep } from "node:timers/promises";
import type { ChannelCredentials } from "@grpc/grpc-js";
import { Connection } from "./connection.js";
import { type Log, SILENCE } from "./log.js";
import type { Next, Player } from "./player.js";

const EXIT_SESSION_ENDED = 3;
const EXIT_INTERRUPTED = 130;
/** A longer time would make a timer of JavaScript fire at once. */
const LONGEST_SLEEP_MS = 2 ** 31 - 1;
const PROXIES = ["grpc_proxy", "https_proxy", "http_proxy", "all_proxy"].flatMap((name) => [name, name.toUpperCase()]);

/** The server to play at. */
export interface Server {
  /** HOST:PORT, [IPv6]:PORT or unix:PATH. */
  readonly address: string;
  /** The token of the bot; empty if the server asks for none. */
  readonly token: string;
  /** The event to enter; empty for the server's ladder, or its only event. */
  readonly event: string;
  /** The credentials of the channel. */
  readonly credentials: ChannelCredentials;
  /**
   * Look once at a server that could not be reached, and return why trying again is of no use, to be read behind its
   * name; undefined to go on trying.
   */
  readonly look?: (stop: AbortSignal) => Promise<string | undefined>;
}

/** The orders to end. If both are the same signal, the player leaves at once. */
export interface Stop {
  /** Take no more seats, and end when the running matches are over; if not connected, leave. */
  readonly retire: AbortSignal;
  /** Say goodbye, and forfeit the running matches. */
  readonly leave: AbortSignal;
}

/** The end of a bot. */
export interface Over {
  /** The exit code of its process: 0, 3, or 130 if it was told to stop. */
  readonly exitCode: number;
  /** The reason. */
  readonly sentence: string;
}

const STOPPED: Over = { exitCode: EXIT_INTERRUPTED, sentence: "the bot was told to stop" };

/**
 * Play until the server says goodbye, until reconnecting is useless, or until the player is told to leave. Broken
 * connections are opened again.
 *
 * @throws RangeError if the address of the server is wrong, and whatever a bot threw
 */
export async function play(player: Player, server: Server, stop: Stop, log: Log = SILENCE): Promise<Over> {
  for (let isFirst = true; ; isFirst = false) {
    const ending = await new Connection(player, server, stop, log).run();
    if (ending === "left") {
      return STOPPED;
    }
    const wasReached = player.wasReached;
    const next = player.lost(ending, Math.random());
    if ("exitCode" in next) {
      return overOf(next, server);
    }
    const found = isFirst && !wasReached ? await server.look?.(stop.retire) : undefined;
    if (found !== undefined && !stop.retire.aborted) {
      return { exitCode: EXIT_SESSION_ENDED, sentence: `the server at ${server.address} ${found}` };
    }
    const pauseMs = Math.min(Math.round(next.pauseMs), LONGEST_SLEEP_MS);
    log.info(`${next.reason}; trying again in ${(pauseMs / 1000).toFixed(2)} s`);
    if (await isStoppedWithin(pauseMs, player, stop)) {
      return STOPPED;
    }
  }
}

function overOf({ exitCode, sentence, isAnswered }: Extract<Next, { exitCode: number }>, { address }: Server): Over {
  const server = exitCode === EXIT_SESSION_ENDED ? `the server at ${address}` : "the server";
  const proxy = PROXIES.find((name) => process.env[name]);
  const note = isAnswered || proxy === undefined ? "" : `; the proxy in ${proxy} is not used`;
  return { exitCode, sentence: `${server} ${sentence}${note}` };
}

/** Wait before the next attempt to connect; returns whether the player was told to end meanwhile, or just before. */
async function isStoppedWithin(milliseconds: number, player: Player, { retire, leave }: Stop): Promise<boolean> {
  // A player that retires already reconnects to finish its matches, and leaves at the second order.
  const signal = player.toldToRetire ? leave : retire;
  await sleep(milliseconds, undefined, { signal }).catch(() => {});
  return signal.aborted;
}
