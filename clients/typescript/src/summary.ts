import { causeOf, faultName } from "./events.js";
import type { LogEvent, SummaryFields } from "./log.js";
import type { Accepted, Choice, MatchEnd, Refused } from "./ordago/v1/match.js";

/** Count what a process plays, over all of its sessions. */
export class Tally {
  readonly #placings = new Map<number, number>();
  readonly #refused = new Map<string, number>();
  readonly #defaultAnswers = new Map<string, number>();
  #void = 0;
  #slowest: Pick<SummaryFields, "slowest_ms" | "slowest_match" | "slowest_decision"> = {};
  /** The number of matches of the bot that were forfeited. */
  forfeited = 0;
  /** The number of times that the bot failed. */
  failures = 0;

  /** Count an answer with its thinking time. */
  answered({ number, thoughtMs = 0 }: Choice, matchId: string): void {
    if (thoughtMs > (this.#slowest.slowest_ms ?? -1)) {
      this.#slowest = { slowest_ms: thoughtMs, slowest_match: matchId, slowest_decision: number };
    }
  }

  /** Count an answer that was refused. */
  refused(refusal: Refused): void {
    count(this.#refused, causeOf(refusal));
  }

  /** Count a default answer that was taken for a fault. */
  defaultTaken({ fault }: Accepted): void {
    count(this.#defaultAnswers, faultName(fault));
  }

  /** Count a match that ended. */
  ended({ outcome }: MatchEnd, seat: number): void {
    const placing = outcome?.placings[seat];
    if (placing === undefined) {
      this.#void += 1;
    } else {
      count(this.#placings, placing);
    }
  }

  /** True if no answer was refused or replaced, no match forfeited, and the bot never failed. */
  get isClean(): boolean {
    const faults = this.#refused.size + this.#defaultAnswers.size + this.forfeited + this.failures;
    return faults === 0;
  }

  /** The counts so far. */
  get fields(): SummaryFields {
    const placings = sorted(this.#placings, (one, other) => one - other);
    return {
      matches: Object.values(placings).reduce((sum, count) => sum + count, this.#void),
      placings,
      void: this.#void,
      ...this.#slowest,
      refused: sorted(this.#refused),
      default_answers: sorted(this.#defaultAnswers),
      forfeited: this.forfeited,
      failures: this.failures,
    };
  }
}

/** Return the last line of the log. */
export function summary(fields: SummaryFields): LogEvent {
  const { matches, slowest_ms, slowest_match, slowest_decision } = fields;
  const placings = Object.entries(fields.placings).map(([placing, count]) => `placing ${placing}: ${count}`);
  const slowest = `slowest decision: ${slowest_ms} ms (match ${slowest_match}, decision ${slowest_decision})`;
  const parts = [
    `${matches} ${matches === 1 ? "match" : "matches"}: ${[...placings, `void: ${fields.void}`].join(", ")}`,
    slowest_ms === undefined ? "" : slowest,
    byCause("refused", fields.refused),
    byCause("default answers", fields.default_answers),
    fields.forfeited === 0 ? "" : `forfeited: ${fields.forfeited}`,
    fields.failures === 0 ? "" : `failures: ${fields.failures}`,
  ];
  return { event: "summary", level: "INFO", message: parts.filter(Boolean).join("; "), fields };
}

function byCause(words: string, counts: Readonly<Record<string, number>>): string {
  const causes = Object.entries(counts).map(([cause, count]) => `${cause} ${count}`);
  const sum = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return sum === 0 ? "" : `${words}: ${sum} (${causes.join(", ")})`;
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function sorted<Key extends string | number>(
  counts: ReadonlyMap<Key, number>,
  compare?: (one: Key, other: Key) => number,
): Record<string, number> {
  return Object.fromEntries([...counts.keys()].sort(compare).map((key) => [key, counts.get(key) ?? 0]));
}
