package org.ordago.bot;

import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * The bots of a player.
 *
 * @param factory makes a bot for each match
 * @param executor runs their calls: in the thread that asks it, or in others
 * @param stopsOnError true to end the process if a bot fails; false to take the default answer
 */
record Bots(Function<Match, Bot> factory, Executor executor, boolean stopsOnError) {
    /** A failure of a bot that ends the process. */
    static final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1;

        /** Keeps what was thrown, and a sentence that says where. */
        Failed(String sentence, Throwable cause) {
            super(sentence, cause);
        }
    }

    /** Returns true if a failure ends the process. Java cannot go on where its memory has run out. */
    boolean isFatal(Throwable failure) {
        return stopsOnError || failure instanceof VirtualMachineError && !(failure instanceof StackOverflowError);
    }
}
