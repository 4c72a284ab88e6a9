package org.ordago.bots;

import org.ordago.bot.Answers;
import org.ordago.bot.Bot;

/** Bot for every game of a server: it takes a random legal action. */
public final class RandomBot {
    private RandomBot() {}

    /** Plays. */
    public static void main(String[] arguments) {
        Bot.run(
                match -> decision -> Answers.any(decision.getActionsList(), match.random()),
                "random-java",
                "0.1.0",
                arguments);
    }
}
