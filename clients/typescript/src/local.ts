import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

/** The matches to play. */
export interface PlayOptions {
  /** The bots, one for each seat, as `ordago play` takes them: `house:random`, or `cmd:node dist/main.js`. */
  readonly bots: readonly string[];
  /** The number of matches; 1 by default. */
  readonly matches?: number;
  /** Further options of `ordago play`, for instance `["--seed", "00ff"]`. */
  readonly more?: readonly string[];
}

/** A seat of a match that was played. */
export interface PlayedSeat {
  /** The number of its bot among those given, from 0. */
  readonly bot: number;
  /** The name of its bot. */
  readonly name: string;
  /** The points of the match. */
  readonly score: number;
  /** The place in the match, from 1. */
  readonly placing: number;
  /** The number of its answers that were refused, by the rule that they broke. */
  readonly strikes: Readonly<Record<string, number>>;
}

/** A match that was played. */
export interface PlayedMatch {
  /** The permanent name of the match. */
  readonly matchId: string;
  /** The game. */
  readonly game: string;
  /** Its number, from 1. */
  readonly number: number;
  /** The seats in the order of play. The bots rotate from match to match. */
  readonly seats: readonly PlayedSeat[];
  /** The number of decisions for which the default answer was taken. */
  readonly faults: number;
  /** The seats that forfeited, each with the name of the fault. */
  readonly forfeits: readonly { readonly seat: number; readonly fault: string }[];
}

/**
 * Play matches between bots without a server of one's own. It takes `ordago`, by the path or the variable
 * `ORDAGO_PROGRAM`.
 *
 * @throws Error if there is no such program, or it fails
 */
export async function play(game: string, { bots, matches = 1, more = [] }: PlayOptions): Promise<PlayedMatch[]> {
  const program = process.env["ORDAGO_PROGRAM"] || "ordago";
  const words = [
    "play",
    game,
    ...bots.flatMap((bot) => ["--bot", bot]),
    "--matches",
    String(matches),
    "--json",
    ...more,
  ];
  const running = spawn(program, words, { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve, reject) => {
    const hint = "install it, or name it in ORDAGO_PROGRAM";
    running.once("error", (error) => reject(new Error(`${program} cannot be run: ${hint}`, { cause: error })));
    running.once("close", resolve);
  });
  const [code, output, complaint] = await Promise.all([ended, text(running.stdout), text(running.stderr)]);
  if (code !== 0) {
    throw new Error(`${program} play ended with exit code ${code}: ${complaint}`);
  }
  return output.split("\n").filter(Boolean).map(matchIn);
}

function matchIn(line: string): PlayedMatch {
  const { match_id: matchId, ...match } = JSON.parse(line);
  return { matchId, ...match };
}
