package org.ordago.bot;

import java.time.Duration;
import java.util.Optional;
import org.ordago.v1.Decision;
import org.ordago.v1.Refused;

/** A decision for a bot, or the refusal of its answer to it, and the time by which it has to be answered. */
final class Question {
    private final Decision decision;
    private final Refused refused;
    private volatile long deadlineMs;

    private Question(Decision decision, Refused refused, long deadlineMs) {
        this.decision = decision;
        this.refused = refused;
        this.deadlineMs = deadlineMs;
    }

    /** Returns the question of a decision that arrived at a time, by the clock. */
    static Question of(Decision decision, long arrivedMs) {
        return new Question(decision, null, deadline(decision, arrivedMs));
    }

    /** Returns the question again, after a refusal that arrived at a time. */
    Question again(Refused refused, long arrivedMs) {
        return new Question(decision, refused, arrivedMs + Integer.toUnsignedLong(refused.getTimeLeftMs()));
    }

    private static long deadline(Decision decision, long arrivedMs) {
        return arrivedMs
                + Integer.toUnsignedLong(decision.getClock().getDecisionMs())
                + Integer.toUnsignedLong(decision.getClock().getBankMs());
    }

    /** Moves the deadline, since the decision came again with a new clock, after a broken connection for instance. */
    void comeAgain(Decision decision, long arrivedMs) {
        deadlineMs = deadline(decision, arrivedMs);
    }

    Decision decision() {
        return decision;
    }

    /** Returns the refusal of the answer before; null if none was refused. */
    Refused refused() {
        return refused;
    }

    /** Returns the time that is left, never below zero; empty if the decision has no clock. */
    Optional<Duration> timeLeft(long nowMs) {
        Duration left = Duration.ofMillis(Math.max(0, deadlineMs - nowMs));
        return Optional.of(left).filter(any -> decision.hasClock());
    }
}
