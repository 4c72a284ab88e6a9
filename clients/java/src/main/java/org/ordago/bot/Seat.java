package org.ordago.bot;

import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.ordago.v1.Answer;
import org.ordago.v1.Choice;
import org.ordago.v1.Decision;
import org.ordago.v1.MatchStart;
import org.ordago.v1.Refused;

/**
 * State of one seat of one match, over all connections of the session.
 *
 * <p>A decision may come again: after a broken connection, or because the server lost time. Its answer is stored and
 * sent again, so that the bot is asked once, and the server never gets two answers.
 */
final class Seat {
    private final Match match;
    private final Bot bot;
    private final Set<String> refusals = new HashSet<>();
    private Answer answer;
    private Decision open;
    private long askedMs;
    private int number;
    private int closed;

    Seat(Match match, Bot bot) {
        this.match = match;
        this.bot = Objects.requireNonNull(bot, "the factory has to return a bot");
    }

    /** An answer that is ready to be sent, and the time at which its decision came. */
    record Reply(Choice.Builder choice, long askedMs) {
        Choice sent(long nowMs) {
            return choice.setThoughtMs((int) (nowMs - askedMs)).build();
        }
    }

    Match match() {
        return match;
    }

    Bot bot() {
        return bot;
    }

    /** Returns the number of the last decision that came; 0 if none did. */
    int number() {
        return number;
    }

    /** Returns true if an announced match is this one, at no earlier point than the bot has seen. */
    boolean carriesOn(MatchStart start) {
        long next = Integer.toUnsignedLong(start.getLastDecision()) + 1;
        return start.getMatchId().equals(match.id()) && next >= Integer.toUnsignedLong(number);
    }

    /** Prepares for another connection, on which the open decision will come again. */
    void disconnect() {
        open = null;
    }

    Reply decide(Decision decision, long arrivedMs) {
        open = decision;
        askedMs = arrivedMs;
        if (decision.getNumber() != number) {
            match.reseed(decision.getNumber());
            answer = given(bot.choose(decision), "choose");
            number = decision.getNumber();
        }
        return reply();
    }

    /** Answers a refusal; returns null if the decision is closed. */
    Reply decideAgain(Refused refused) {
        if (open == null || open.getNumber() != refused.getNumber() || !isAnswerDue(refused)) {
            return null;
        }
        answer = given(bot.refused(open, refused), "refused");
        return reply();
    }

    private static Answer given(Answer answer, String method) {
        return Objects.requireNonNull(answer, () -> method + "() has to return an Answer");
    }

    /** Returns true if a refusal leaves the decision open. At the last strike the default answer is taken. */
    private static boolean isAnswerDue(Refused refused) {
        boolean lastStrike = !refused.getRule().isEmpty() && refused.getStrikesLeft() == 0;
        return refused.getTimeLeftMs() != 0 && !lastStrike;
    }

    private Reply reply() {
        Choice.Builder choice = Choice.newBuilder()
                .setMatchHandle(open.getMatchHandle())
                .setNumber(open.getNumber())
                .setAnswer(answer);
        return new Reply(choice, askedMs);
    }

    /** Returns true for the first refusal in this match with this cause. */
    boolean isFirstRefusal(String cause) {
        return refusals.add(cause);
    }

    /** Closes a decision. Returns false if it was closed before: after a broken connection the server says it again. */
    boolean close(int decision) {
        if (open != null && open.getNumber() == decision) {
            open = null;
        }
        boolean isNews = Integer.compareUnsigned(decision, closed) > 0;
        closed = isNews ? decision : closed;
        return isNews;
    }
}
