package org.ordago.bot;

/** The step after a lost connection. */
sealed interface Next {
    /**
     * The next connection, after a pause.
     *
     * @param ms the pause in milliseconds
     * @param sentence the reason of the pause
     */
    record Pause(long ms, String sentence) implements Next {}

    /** The end of a bot whose server said goodbye. */
    record Goodbye(String sentence) implements Next {}

    /** The end of a bot whose server ended the session: {@code (STATUS): SENTENCE}. */
    record Ended(String why) implements Next {}

    /** The end of a bot that tried long enough to reach its server. */
    record Unreachable(String reason) implements Next {}
}
