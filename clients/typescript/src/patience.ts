const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;
/** How long nobody may answer, if it is not known for how long a session can be resumed. */
const LEAST_MS = 30_000;

/** How long is waited before each attempt to come back, and when that is given up. */
export class Patience {
  #pauseMs = FIRST_PAUSE_MS;
  #signMs: number;

  /** Begins to wait for a sign of the server. */
  constructor(nowMs: number) {
    this.#signMs = nowMs;
  }

  /** Begins anew, since the server gave a sign. */
  renew(nowMs: number): void {
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#signMs = nowMs;
  }

  /** Says whether nobody has answered for too long. */
  isOver(nowMs: number, resumeWindowMs: number): boolean {
    return nowMs - this.#signMs > Math.max(LEAST_MS, resumeWindowMs);
  }

  /** Returns the next pause: twice the one before, within a bound. */
  next(): number {
    const pauseMs = this.#pauseMs;
    this.#pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    return pauseMs;
  }
}
