import type { ClockState } from "./ordago/v1/clock.js";
import type { Decision as Message } from "./ordago/v1/decision.js";

/** A question to a bot. It is complete: a bot that keeps nothing between decisions can answer it. */
export interface Decision extends Message {
  /**
   * Return what is left of the time, in milliseconds and never below zero; Infinity without a clock, as in a match
   * without a server. The time runs since the decision arrived, also while it waits behind other matches.
   */
  timeLeft(): number;
  /**
   * Aborts when the decision is closed, so that no answer is of use: for `fetch`, or a search that is `async`. What a bot
   * throws after that is no failure.
   */
  readonly signal: AbortSignal;
}

/** A decision, apart from its message. What is not its own property is left out when it is posted to a worker. */
class Asked implements Omit<Decision, keyof Message> {
  readonly #timeLeft: () => number;
  readonly #signal: () => AbortSignal;

  constructor(message: Message, timeLeft: () => number, signal: () => AbortSignal) {
    this.#timeLeft = timeLeft;
    this.#signal = signal;
    Object.assign(this, message);
  }

  timeLeft(): number {
    return this.#timeLeft();
  }

  get signal(): AbortSignal {
    return this.#signal();
  }
}

/** Add its time and its signal to a decision. */
export function timed(message: Message, timeLeft: () => number, signal: () => AbortSignal): Decision {
  return new Asked(message, timeLeft, signal) as Asked & Message;
}

/** Return the time that a clock allows for a decision, in milliseconds. */
export function timeOf(clock: ClockState | undefined): number {
  return clock === undefined ? Number.POSITIVE_INFINITY : clock.decisionMs + clock.bankMs;
}
