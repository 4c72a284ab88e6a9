const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;
/** The time to keep trying a server that does not answer; longer while the session can be resumed. */
const LEAST_MS = 30_000;

/** Pauses before the attempts to reconnect, counted since the server last answered. */
export class BackOff {
  #pauseMs = FIRST_PAUSE_MS;
  #answeredMs: number;

  /** Begin with the shortest pause. */
  constructor(nowMs: number) {
    this.#answeredMs = nowMs;
  }

  /** Start again with the shortest pause, since the server answered. */
  restart(nowMs: number): void {
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#answeredMs = nowMs;
  }

  /** Return true if the server has not answered for too long. */
  isOver(nowMs: number, resumeWindowMs: number): boolean {
    return nowMs - this.#answeredMs > Math.max(LEAST_MS, resumeWindowMs);
  }

  /** Return the next pause, twice the one before up to 8 seconds. */
  next(): number {
    const pauseMs = this.#pauseMs;
    this.#pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    return pauseMs;
  }
}
