package org.ordago.bot;

/** What a bot was told on its command line, or by its environment, cannot be. */
final class UsageException extends Exception {
    private static final long serialVersionUID = 1;

    /**
     * Says so.
     *
     * @param sentence what is wrong, and what would be right
     */
    UsageException(String sentence) {
        super(sentence);
    }
}
