package org.ordago.bot;

import java.util.List;
import java.util.function.Function;
import org.ordago.v1.Answer;
import org.ordago.v1.Decision;
import org.ordago.v1.Forfeited;
import org.ordago.v1.MatchEnd;
import org.ordago.v1.Refused;

/**
 * One seat of one match. A new object is made for each, so whatever it keeps belongs to that match.
 *
 * <p>All methods are called by one thread, that of {@link #run}. A bot that throws ends its process, with its stack
 * trace and the exit code 1.
 */
@FunctionalInterface
public interface Bot {
    /**
     * Answers a decision.
     *
     * @param decision what is asked. It is complete: its view is all that the seat sees, its actions are all that is
     *     legal.
     * @return the answer; {@link Answers} has short ways to make one, and {@code decision.getDefaultAnswer()} is one
     */
    Answer choose(Decision decision);

    /**
     * Answers a decision again after the server refused the answer.
     *
     * @param decision what is asked
     * @param refusal what was wrong
     * @return the answer; the default answer of the decision unless overridden
     */
    default Answer refused(Decision decision, Refused refusal) {
        return decision.getDefaultAnswer();
    }

    /**
     * Learns that the seat is forfeited: it is asked no more, and {@link #ended} follows when the match is over.
     *
     * @param notice what went wrong
     */
    default void forfeited(Forfeited notice) {}

    /**
     * Learns how the match ended.
     *
     * @param end the outcome, absent from a match that is void, and what happened since the last decision
     */
    default void ended(MatchEnd end) {}

    /**
     * Plays until the server says goodbye, then leaves the process: the whole main program of a bot.
     *
     * @param factory makes a bot for each match
     * @param name what the bot is called where neither its token nor {@code --name} says it
     * @param version the version of the bot, at most 64 characters; empty: unknown
     * @param arguments the command line; {@code --help} tells what can stand there
     * @param games the games that the bot plays, by their short names; none: all that a server offers
     */
    static void run(Function<Match, Bot> factory, String name, String version, String[] arguments, String... games) {
        Program.run(factory, name, version, List.of(arguments), List.of(games));
    }
}
