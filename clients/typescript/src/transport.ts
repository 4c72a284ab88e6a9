import { setTimeout as sleep } from "node:timers/promises";
import { type ChannelCredentials, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { log } from "./log.js";
import { BotServiceClient, type PlayResponse } from "./ordago/v1/bot_service.js";
import type { Player } from "./player.js";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;
/** How long a broken connection is tried to be taken up again. */
const PATIENCE_MS = 30_000;
/** How long a Goodbye may take to get through. */
const PARTING_MS = 1_000;
const OPTIONS = {
  "grpc.keepalive_time_ms": 25_000,
  "grpc.keepalive_timeout_ms": 10_000,
  // A frame of the server may hold any number of decisions.
  "grpc.max_receive_message_length": -1,
};
const COME_BACK: readonly number[] = [status.UNAVAILABLE, status.UNKNOWN, status.INTERNAL];
const NOT_LET_IN: readonly number[] = [status.UNAUTHENTICATED, status.PERMISSION_DENIED];
/** Where a server says, beside a status, when to come back. */
const RETRY_AFTER = "retry-after-ms";

/** Where to play. */
export interface Server {
  /** HOST:PORT, or unix:PATH. */
  readonly address: string;
  /** What the bot comes in with; empty where none is asked for. */
  readonly token: string;
  /** How the connection is kept safe. */
  readonly credentials: ChannelCredentials;
}

/** The server refused or ended the session, or cannot be reached. */
export class SessionEndedError extends Error {}

/** How a player is told to end. */
export interface Stop {
  /** It takes no more seats, and leaves only where it is not connected. */
  readonly retire: AbortSignal;
  /** It leaves at once. */
  readonly leave: AbortController;
}

/** How a connection ended. */
export interface Ending {
  /** Whether anything came over it. */
  readonly alive: boolean;
  /** The error that it ended with, if with any. */
  readonly error?: ServiceError;
}

/**
 * Plays until the server says goodbye, or until the player is told to leave. A connection that breaks is taken up again:
 * for as long as patience lasts, or the session can be resumed, since a server that is started anew may carry on its
 * matches.
 *
 * @throws SessionEndedError if coming back is of no use
 */
export async function play(
  player: Player,
  server: Server,
  stop: Stop,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  let pause = FIRST_PAUSE_MS;
  let lastAlive = performance.now();
  while (!stop.leave.signal.aborted) {
    const ending = await playStream(player, server, stop);
    const { alive, error } = ending;
    const reason = error?.message ?? "without a word";
    const retryAfter = player.retryAfterMs || retryAfterMs(error);
    const comesBack = isWorthComingBack(player, ending, retryAfter); // Or the session is over, and no other is needed.
    if (player.farewell !== undefined || stop.leave.signal.aborted) {
      return;
    }
    if (!comesBack) {
      throw new SessionEndedError(`the server at ${server.address} ended the session: ${reason}`);
    }
    if (alive || retryAfter > 0) {
      [pause, lastAlive] = [FIRST_PAUSE_MS, performance.now()];
    }
    if (performance.now() - lastAlive > Math.max(patienceMs, player.resumeWindowMs)) {
      throw new SessionEndedError(`no server answers at ${server.address} (${reason})`);
    }
    const wait = retryAfter || pause;
    log.info(`the connection broke (${reason}); trying again in ${wait} ms`);
    await pauseFor(wait, player, stop);
    pause = retryAfter > 0 ? pause : Math.min(2 * pause, LONGEST_PAUSE_MS);
  }
}

/** Waits before the next attempt to connect, unless the player is told to end. */
async function pauseFor(milliseconds: number, player: Player, { retire, leave }: Stop): Promise<void> {
  const signal = player.retiring ? leave.signal : retire;
  await sleep(milliseconds, undefined, { signal }).catch(() => leave.abort());
}

/** Plays over one connection. */
async function playStream(player: Player, { address, token, credentials }: Server, stop: Stop): Promise<Ending> {
  const client = new BotServiceClient(address, credentials, OPTIONS);
  const stream = client.play(authorization(token));
  let alive = false;
  const leave = () => {
    if (alive) {
      stream.write(player.leave("the bot was told to stop"));
    }
    stream.end();
    setTimeout(() => stream.cancel(), PARTING_MS).unref();
  };
  const retire = () => {
    if (!alive) {
      stop.leave.abort();
    } else if (!stop.leave.signal.aborted) {
      stream.write(player.retire());
      log.info("told to stop: running matches are played to their end; once more to leave at once");
    }
  };
  stop.leave.signal.addEventListener("abort", leave);
  stop.retire.addEventListener("abort", retire);
  try {
    stream.write(player.greet());
    for await (const response of stream as AsyncIterable<PlayResponse>) {
      alive = true;
      const reply = player.receive(response);
      if (reply !== undefined) {
        stream.write(reply);
      }
    }
    return { alive };
  } catch (error) {
    if (!isServiceError(error)) {
      throw error;
    }
    return { alive, error };
  } finally {
    stop.leave.signal.removeEventListener("abort", leave);
    stop.retire.removeEventListener("abort", retire);
    client.close();
  }
}

function authorization(token: string): Metadata {
  const metadata = new Metadata();
  if (token !== "") {
    metadata.set("authorization", `Bearer ${token}`);
  }
  return metadata;
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "code" in error && "details" in error;
}

/** Judges how a connection ended. Without a Goodbye an orderly end, too, is a broken connection. */
export function isWorthComingBack(player: Player, { alive, error }: Ending, retryAfter: number): boolean {
  if (error === undefined || COME_BACK.includes(error.code)) {
    return true;
  }
  if (NOT_LET_IN.includes(error.code)) {
    // Perhaps the session cannot be resumed any more; then a new one may begin.
    return !alive && player.loseSession(error.details);
  }
  // A server that is full says when to come back.
  return retryAfter > 0;
}

/** Returns how long the server wants to be left alone, by what came with its status; 0 if it does not say. */
export function retryAfterMs(error: ServiceError | undefined): number {
  const [text] = error?.metadata?.get(RETRY_AFTER) ?? [];
  return /^\d{1,9}$/.test(String(text)) ? Number(text) : 0;
}
