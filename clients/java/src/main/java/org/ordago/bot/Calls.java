package org.ordago.bot;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.ordago.v1.Answer;

/**
 * Calls of the methods of bots, by the executor: in the thread of the player, or in others. Only the calls themselves
 * leave the thread of the player, which takes up their outcomes.
 */
final class Calls {
    private final Executor executor;
    private final Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
    private int running;

    Calls(Executor executor) {
        this.executor = executor;
    }

    /**
     * The outcome of a call.
     *
     * @param seat the seat of the bot
     * @param question the question; null for a call that needs no answer
     * @param hasBot true if the bot was made; false if it failed then, and is called no more
     * @param answer the answer, if any
     * @param failure what was thrown; null if nothing was
     * @param ms the time that the call took
     */
    record Outcome(Seat seat, Question question, boolean hasBot, Answer answer, Throwable failure, long ms) {}

    /** Calls as soon as an earlier call has ended, and returns the end of this one. */
    CompletableFuture<Void> after(CompletableFuture<Void> earlier, Supplier<Outcome> call) {
        running++;
        return earlier.thenRunAsync(() -> outcomes.add(call.get()), executor);
    }

    /** Returns the next outcome; null if there is none yet. */
    Outcome poll() {
        Outcome outcome = outcomes.poll();
        running -= outcome == null ? 0 : 1;
        return outcome;
    }

    /** Returns true if outcomes are still to come. */
    boolean areRunning() {
        return running > 0;
    }
}
