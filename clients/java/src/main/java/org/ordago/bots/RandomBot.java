package org.ordago.bots;

import java.util.function.Function;
import org.ordago.bot.Answers;
import org.ordago.bot.Bot;
import org.ordago.bot.BotProgram;
import org.ordago.bot.Match;

/** Bot for every game of a server: it takes a random legal action. */
public final class RandomBot {
    private RandomBot() {}

    /** Plays. */
    public static void main(String[] arguments) {
        Function<Match, Bot> factory = match -> decision -> Answers.any(decision, match.random());
        System.exit(BotProgram.of("random-java", "0.1.0", factory).run(arguments));
    }
}
