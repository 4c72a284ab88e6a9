import type { ClockState } from "./ordago/v1/clock.js";
import type { Decision as Message } from "./ordago/v1/decision.js";

/** A question to a bot. It is complete: a bot that keeps nothing between decisions can answer it. */
export interface Decision extends Message {
  /**
   * Return what is left of the time, in milliseconds and never below zero; Infinity without a clock, as in a match
   * without a server. The time runs since the decision arrived, also while it waits behind other matches.
   */
  timeLeft(): number;
}

/** Add its time to a decision. The function is not enumerable, so that the decision can be posted to a worker. */
export function timed(message: Message, timeLeft: () => number): Decision {
  return Object.defineProperty({ ...message }, "timeLeft", { value: timeLeft }) as Decision;
}

/** Return the time that a clock allows for a decision, in milliseconds. */
export function timeOf(clock: ClockState | undefined): number {
  return clock === undefined ? Number.POSITIVE_INFINITY : clock.decisionMs + clock.bankMs;
}
