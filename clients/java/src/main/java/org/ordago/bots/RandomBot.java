package org.ordago.bots;

import org.ordago.bot.Answers;
import org.ordago.bot.Bot;

/** Plays every game that a server offers, without knowing any: it takes a legal action by chance. */
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
