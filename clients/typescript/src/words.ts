// What a player says of the messages that come, to whoever watches it.
import { Fault } from "./ordago/v1/faults.js";
import type { Accepted, MatchEnd } from "./ordago/v1/match.js";

/** Returns the name of a fault; a server that is newer than this may know others. */
export function faultName(fault: Fault): string {
  return Fault[fault] ?? `fault ${fault}`;
}

/** Returns what a decision cost, and what it did not. */
export function costOf({ chargedMs, lagMs, lostMs, bankMs }: Accepted): string {
  const travelled = lagMs > 0 ? `, travelled for ${lagMs} ms` : "";
  const lost = lostMs > 0 ? `, the server lost ${lostMs} ms` : "";
  return `charged ${chargedMs} ms${travelled}${lost}, ${bankMs} ms left in the bank`;
}

/** Returns why the default answer was taken, and how near the seat is to forfeiting the match. */
export function reasonOf({ sentence, fault, faultsLeft }: Accepted): string {
  const left = faultsLeft > 0 ? `; ${faultsLeft} more and the match is forfeited` : "";
  return `${sentence || "no reason was given"} (${faultName(fault)})${left}`;
}

/** Returns how a match ended for a seat. */
export function endingOf({ outcome, sentence, forfeits }: MatchEnd, seat: number): string {
  const forfeited = forfeits
    .map((forfeit) => `, seat ${forfeit.seat} forfeited (${faultName(forfeit.fault)})`)
    .join("");
  const told = outcome ? `placing ${outcome.placings[seat]}` : `void: ${sentence || "no reason was given"}`;
  return `${told}${forfeited}`;
}
