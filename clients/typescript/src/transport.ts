import { setTimeout as sleep } from "node:timers/promises";
import type { ChannelCredentials } from "@grpc/grpc-js";
import { Connection } from "./connection.js";
import { note } from "./events.js";
import { type Log, SILENCE } from "./log.js";
import type { Next, Player } from "./player.js";

/** The exit code of a session that the server ended, or that never began. */
export const EXIT_SESSION_ENDED = 3;
const EXIT_INTERRUPTED = 130;
/** The time that bots have at the end to hear that their matches are over. */
const LONGEST_END_MS = 1_000;
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
  /** The server's words, if it said goodbye. */
  readonly goodbye?: string;
}

const STOPPED: Over = { exitCode: EXIT_INTERRUPTED, sentence: "the bot was told to stop" };

/**
 * Play until the server says goodbye, until reconnecting is useless, or until the player is told to leave. Broken
 * connections are opened again.
 *
 * @throws RangeError if the address of the server is wrong, and BotError if a bot failed
 */
export async function play(player: Player, server: Server, stop: Stop, log: Log = SILENCE): Promise<Over> {
  const over = await playOn(player, server, stop, log);
  await Promise.race([player.settled(), sleep(LONGEST_END_MS, undefined, { ref: false })]);
  return over;
}

async function playOn(player: Player, server: Server, stop: Stop, log: Log): Promise<Over> {
  for (let isFirst = true; ; isFirst = false) {
    const ending = await new Connection(player, server, stop, log).run();
    if (ending === "left") {
      return STOPPED;
    }
    const wasReached = player.wasReached;
    const next = player.lost(ending, Math.random());
    if ("exitCode" in next) {
      return overBy(next, server, log);
    }
    const found = isFirst && !wasReached ? await server.look?.(stop.retire) : undefined;
    if (found !== undefined && !stop.retire.aborted) {
      const report = () => note(`the server at ${server.address} ${found}`, "ERROR");
      return overBy({ exitCode: EXIT_SESSION_ENDED, report }, server, log);
    }
    const pauseMs = Math.min(Math.round(next.pauseMs), LONGEST_SLEEP_MS);
    log(next.report(pauseMs));
    if (await isStoppedWithin(pauseMs, player, stop)) {
      return STOPPED;
    }
  }
}

function overBy({ exitCode, report }: Extract<Next, { exitCode: number }>, { address }: Server, log: Log): Over {
  const proxy = PROXIES.find((name) => process.env[name]);
  const event = report(address, proxy === undefined ? "" : `; the proxy in ${proxy} is not used`);
  log(event);
  const goodbye = event.event === "goodbye" ? { goodbye: event.fields.sentence } : {};
  return { exitCode, sentence: event.message, ...goodbye };
}

/** Wait before the next attempt to connect; returns whether the player was told to end meanwhile, or just before. */
async function isStoppedWithin(milliseconds: number, player: Player, { retire, leave }: Stop): Promise<boolean> {
  // A player that retires already reconnects to finish its matches, and leaves at the second order.
  const signal = player.toldToRetire ? leave : retire;
  await sleep(milliseconds, undefined, { signal }).catch(() => {});
  return signal.aborted;
}
