package org.ordago.bot;

/** How long to wait before each attempt to connect, and for how long to try: docs/protocol.md, broken connections. */
final class Pauses {
    private static final long FIRST_MS = 250;
    private static final long LONGEST_MS = 8_000;
    private static final long PATIENCE_MS = 30_000;

    private long pauseMs = FIRST_MS;
    private long sinceMs;

    Pauses(long nowMs) {
        sinceMs = nowMs;
    }

    /** Begins anew, since the server was heard of. */
    void restart(long nowMs) {
        pauseMs = FIRST_MS;
        sinceMs = nowMs;
    }

    /** Says whether it was tried in vain for too long. */
    boolean areOver(long nowMs, long resumeWindowMs) {
        return nowMs - sinceMs > Math.max(PATIENCE_MS, resumeWindowMs);
    }

    /**
     * Returns the next pause, twice the one before, less up to half of it by chance, so that not all bots come at once.
     */
    long next(double jitter) {
        long pause = pauseMs;
        pauseMs = Math.min(2 * pause, LONGEST_MS);
        return Math.round(pause * (1 - jitter / 2));
    }

    /** Obeys a server that says when to come back: never before that, but not all bots at once. */
    long obeying(long retryAfterMs, long nowMs, double jitter) {
        long pause = Math.round(retryAfterMs * (1 + jitter / 4));
        restart(nowMs + pause);
        return pause;
    }
}
