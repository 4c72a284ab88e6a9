// The sentences of a player about messages that come, for people who watch the bot.
import type { EventNotice } from "./ordago/v1/bot_service.js";
import { Fault } from "./ordago/v1/faults.js";
import type { Accepted, MatchEnd } from "./ordago/v1/match.js";

/** Count the matches that have begun in an event; each notice of the server corrects the count. */
export class EventCount {
  #begun = 0;
  #planned = 0;

  /** Take over the counts of a notice. */
  learn({ matchesBegun, matchesPlanned }: EventNotice): void {
    this.#begun = matchesBegun;
    this.#planned = matchesPlanned;
  }

  /** Count a match that begins; returns ", match 3 of 9", or nothing if the number planned is unknown. */
  next(): string {
    this.#begun += 1;
    return this.#planned > 0 ? `, match ${this.#begun} of ${this.#planned}` : "";
  }
}

/** Return a sentence of the server, which may be missing. */
export function orNoReason(sentence: string): string {
  return sentence || "no reason was given";
}

/** Return a message as JSON, without the secrets of the session. */
export function withoutSecrets(message: unknown): string {
  return JSON.stringify(message, (key, value) => (["nonce", "resumeToken"].includes(key) ? "…" : value));
}

/** Return the name of a fault, or its number if only a newer server knows it. */
export function faultName(fault: Fault): string {
  return Fault[fault] ?? `fault ${fault}`;
}

/** Return the time charged for a decision, the time not charged (network, server), and the time left. */
export function costOf({ chargedMs, lagMs, lostMs, bankMs }: Accepted): string {
  const travelled = lagMs > 0 ? `, travelled for ${lagMs} ms` : "";
  const lost = lostMs > 0 ? `, the server lost ${lostMs} ms` : "";
  return `charged ${chargedMs} ms${travelled}${lost}, ${bankMs} ms left in the bank`;
}

/** Return the reason why the default answer was taken, and the faults left before the match is forfeited. */
export function reasonOf({ sentence, fault, faultsLeft }: Accepted): string {
  const left = faultsLeft > 0 ? `; ${faultsLeft} more and the match is forfeited` : "";
  return `${orNoReason(sentence)} (${faultName(fault)})${left}`;
}

/** Return the placing of a seat, or the reason why the match is void, and the forfeits. */
export function endingOf({ outcome, sentence, forfeits }: MatchEnd, seat: number): string {
  const forfeited = forfeits
    .map((forfeit) => `, seat ${forfeit.seat} forfeited (${faultName(forfeit.fault)})`)
    .join("");
  return outcome ? `placing ${outcome.placings[seat]}${forfeited}` : `void${forfeited}: ${orNoReason(sentence)}`;
}
