// Decisions in a file: a line of JSON each time that a bot was asked. ts-proto writes UNRECOGNIZED for values of enums
// that it does not know, so what only a newer server knows is lost here.
import { readFileSync } from "node:fs";
import { messageOf, note } from "./events.js";
import { appendingTo } from "./files.js";
import type { Log } from "./log.js";
import { Answer, Decision } from "./ordago/v1/decision.js";
import { MatchStart, Refused } from "./ordago/v1/match.js";
import { reasonOf } from "./usage.js";

/** A decision that a bot was asked, and what came of it. */
export interface AskedDecision {
  /** The match, as it was announced. */
  readonly start: MatchStart;
  /** The decision. */
  readonly decision: Decision;
  /** The refusal after which the bot was asked again; undefined the first time. */
  readonly refused: Refused | undefined;
  /** The answer that was sent; undefined if none was, since the decision was closed or the bot failed. */
  readonly answer: Answer | undefined;
  /** The time that the bot took. */
  readonly milliseconds: number;
  /** The way in which the bot failed; undefined if it did not. */
  readonly error: string | undefined;
}

/** Open or create a file, and return a function that appends decisions to it. A failure to write is told once. */
export function decisionsFile(path: string): (asked: AskedDecision, log: Log) => void {
  const append = appendingTo(path);
  let isTold = false;
  return (asked, log) => {
    try {
      append(lineOf(asked));
    } catch (error) {
      if (!isTold) {
        log(note(`decisions cannot be written to ${path}: ${reasonOf(error)}`, "WARNING"));
      }
      isTold = true;
    }
  };
}

function lineOf({ start, decision, refused, answer, milliseconds, error }: AskedDecision): object {
  return {
    start: MatchStart.toJSON(start),
    decision: Decision.toJSON(decision),
    refused: refused && Refused.toJSON(refused),
    answer: answer && Answer.toJSON(answer),
    milliseconds,
    error,
  };
}

/**
 * Return the decisions in a file that `--log-decisions` or `ordago record` wrote.
 *
 * @throws SyntaxError if a line is none of such a file
 */
export function loadDecisions(path: string | URL): AskedDecision[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.flatMap((line, index) => (line.trim() === "" ? [] : askedIn(line, `${path}, line ${index + 1}`)));
}

function askedIn(text: string, where: string): AskedDecision {
  try {
    const { start, decision, refused, answer, milliseconds = 0, error } = JSON.parse(text);
    if (!start || !decision) {
      throw new TypeError("it has no start or no decision");
    }
    return {
      start: MatchStart.fromJSON(start),
      decision: Decision.fromJSON(decision),
      refused: refused && Refused.fromJSON(refused),
      answer: answer && Answer.fromJSON(answer),
      milliseconds,
      error,
    };
  } catch (error) {
    throw new SyntaxError(`${where}: it is no logged decision: ${messageOf(error)}`, { cause: error });
  }
}
