package org.ordago.bot;

/** The command line or the environment of the bot is wrong. */
final class UsageException extends Exception {
    private static final long serialVersionUID = 1;

    /**
     * Describes a mistake.
     *
     * @param sentence the option or variable, and what is wrong with it
     */
    UsageException(String sentence) {
        super(sentence);
    }
}
