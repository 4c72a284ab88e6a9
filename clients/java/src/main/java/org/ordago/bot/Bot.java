package org.ordago.bot;

import java.util.List;
import java.util.function.Function;
import org.ordago.v1.Answer;
import org.ordago.v1.Decision;
import org.ordago.v1.Forfeited;
import org.ordago.v1.MatchEnd;
import org.ordago.v1.Refused;

/**
 * A bot in one seat of one match. Each match has its own object, so its fields belong to that match.
 *
 * <p>All methods are called by one thread, that of {@link #run}. A bot that throws ends its process with a stack trace
 * and exit code 1.
 */
@FunctionalInterface
public interface Bot {
    /**
     * Answers a decision.
     *
     * @param decision the decision. It is complete: the view has all that the seat sees, the actions all that is legal.
     * @return the answer; {@link Answers} makes one, and {@code decision.getDefaultAnswer()} is one
     */
    Answer choose(Decision decision);

    /**
     * Answers a decision again after the server refused the answer.
     *
     * @param decision the decision
     * @param refusal the reason for the refusal
     * @return the answer; the default answer of the decision unless overridden
     */
    default Answer refused(Decision decision, Refused refusal) {
        return decision.getDefaultAnswer();
    }

    /**
     * Called when the seat is forfeited: no more decisions follow, and {@link #ended} when the match is over.
     *
     * @param notice the reason
     */
    default void forfeited(Forfeited notice) {}

    /**
     * Called when the match has ended.
     *
     * @param end the outcome, absent if the match is void, and what happened since the last decision
     */
    default void ended(MatchEnd end) {}

    /**
     * Plays until the server says goodbye, then exits the process: the whole main program of a bot.
     *
     * @param factory makes a bot for each match
     * @param name the name of the bot, unless its token or {@code --name} gives another
     * @param version the version of the bot, at most 64 characters; empty: unknown
     * @param arguments the command line; {@code --help} lists the options
     * @param games the games that the bot plays, by their short names; none: all that a server offers
     */
    static void run(Function<Match, Bot> factory, String name, String version, String[] arguments, String... games) {
        Program.run(factory, name, version, List.of(arguments), List.of(games));
    }
}
