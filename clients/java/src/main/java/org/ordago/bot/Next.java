package org.ordago.bot;

/** What comes after a connection that is lost. */
sealed interface Next {
    /** The next connection, after a pause in milliseconds. */
    record Pause(long ms) implements Next {}

    /** The end of the bot, and why: what the server said, or that it {@code ended the session}, or the like. */
    record Over(int exitCode, String sentence) implements Next {}
}
