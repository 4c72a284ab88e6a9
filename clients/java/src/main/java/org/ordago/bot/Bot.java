package org.ordago.bot;

import org.ordago.v1.Answer;
import org.ordago.v1.Decision;
import org.ordago.v1.Forfeited;
import org.ordago.v1.MatchEnd;
import org.ordago.v1.Refused;

/**
 * A bot in one seat of one match. Each match has its own object, so its fields belong to that match.
 *
 * <p>The methods are called one after the other, in one thread unless {@link BotProgram#threads} says otherwise. A bot
 * fails if it throws, or answers nothing: then its process ends with a stack trace and exit code 1, or with
 * {@code --on-error default} the default answer is taken.
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
}
