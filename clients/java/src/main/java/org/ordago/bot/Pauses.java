package org.ordago.bot;

/** Pauses before the attempts to reconnect, and the time to give up: docs/protocol.md, broken connections. */
final class Pauses {
    private static final long FIRST_MS = 250;
    private static final long LONGEST_MS = 8_000;
    private static final long PATIENCE_MS = 30_000;

    private long pauseMs = FIRST_MS;
    private long sinceMs;

    Pauses(long nowMs) {
        sinceMs = nowMs;
    }

    /** Starts again with the shortest pause, since the server answered. */
    void restart(long nowMs) {
        pauseMs = FIRST_MS;
        sinceMs = nowMs;
    }

    /** Returns true if it is time to give up. */
    boolean areOver(long nowMs, long resumeWindowMs) {
        return nowMs - sinceMs > Math.max(PATIENCE_MS, resumeWindowMs);
    }

    /**
     * Returns the next pause: twice the one before, shortened at random by up to half, so that not all bots come at
     * once.
     */
    long next(double jitter) {
        long pause = pauseMs;
        pauseMs = Math.min(2 * pause, LONGEST_MS);
        return Math.round(pause * (1 - jitter / 2));
    }

    /** Returns the pause that the server asked for, lengthened at random by up to a quarter. */
    long obeying(long retryAfterMs, long nowMs, double jitter) {
        long pause = Math.round(retryAfterMs * (1 + jitter / 4));
        restart(nowMs + pause);
        return pause;
    }
}
