package org.ordago.bot;

import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.ordago.bot.Calls.Outcome;
import org.ordago.v1.Answer;
import org.ordago.v1.Choice;
import org.ordago.v1.Decision;
import org.ordago.v1.Forfeited;
import org.ordago.v1.MatchEnd;
import org.ordago.v1.MatchStart;
import org.ordago.v1.Refused;

/**
 * State of one seat of one match, over all connections of the session.
 *
 * <p>A decision may come again: after a broken connection, or because the server lost time. Its answer is stored and
 * sent again, so that the bot is asked once, and the server never gets two answers. The calls of the bot follow each
 * other; where other threads run them, the answer to a decision comes later, when the decision may be closed.
 */
final class Seat {
    private final Match match;
    private final LongSupplier clockMs;
    private final Calls calls;
    private final Set<String> refusals = new HashSet<>();
    /** The end of the last call. */
    private CompletableFuture<Void> lastCall = CompletableFuture.completedFuture(null);
    /** The bot, for its calls alone; null if it failed when it was made. */
    private Bot bot;

    private Question question;
    /** The answer to the last question; null while the bot thinks. */
    private Answer answer;

    private Decision open;
    private long askedMs;
    private int closed;
    private boolean hasFailed;

    Seat(Match match, LongSupplier clockMs, Calls calls) {
        this.match = match;
        this.clockMs = clockMs;
        this.calls = calls;
    }

    /** An answer that is ready to be sent, and the time at which its decision came. */
    record Reply(Seat seat, Choice.Builder choice, long askedMs) {
        Choice sent(long nowMs) {
            return choice.setThoughtMs((int) (nowMs - askedMs)).build();
        }
    }

    Match match() {
        return match;
    }

    /** Returns the number of the last decision that came; 0 if none did. */
    int number() {
        return question == null ? 0 : question.decision().getNumber();
    }

    /** Returns true if an announced match is this one, at no earlier point than the bot has seen. */
    boolean carriesOn(MatchStart start) {
        long next = Integer.toUnsignedLong(start.getLastDecision()) + 1;
        return start.getMatchId().equals(match.id()) && next >= Integer.toUnsignedLong(number());
    }

    /** Prepares for another connection, on which the open decision will come again. */
    void disconnect() {
        open = null;
    }

    /** Makes the bot. */
    void begin(Function<Match, Bot> factory) {
        call(null, () -> {
            bot = Objects.requireNonNull(factory.apply(match), "the factory has to return a bot");
            return null;
        });
    }

    /** Asks the bot about a decision, or returns the stored answer if it came before. */
    Optional<Reply> decide(Decision decision, long arrivedMs) {
        open = decision;
        askedMs = arrivedMs;
        if (question != null && decision.getNumber() == number()) {
            question.comeAgain(decision, arrivedMs);
            return reply();
        }
        ask(Question.of(decision, arrivedMs));
        return Optional.empty();
    }

    /** Asks the bot again after a refusal, unless the decision is closed or the bot is asked already. */
    void decideAgain(Refused refused, long arrivedMs) {
        boolean isOpen = open != null && open.getNumber() == refused.getNumber();
        if (isOpen && answer != null && isAnswerDue(refused)) {
            ask(question.again(refused, arrivedMs));
        }
    }

    /** Returns true if a refusal leaves the decision open. At the last strike the default answer is taken. */
    private static boolean isAnswerDue(Refused refused) {
        boolean lastStrike = !refused.getRule().isEmpty() && refused.getStrikesLeft() == 0;
        return refused.getTimeLeftMs() != 0 && !lastStrike;
    }

    void tell(Forfeited notice) {
        tell(() -> bot.forfeited(notice));
    }

    void tell(MatchEnd end) {
        open = null;
        tell(() -> bot.ended(end));
    }

    private void tell(Runnable notice) {
        call(null, () -> {
            if (bot != null) {
                notice.run();
            }
            return null;
        });
    }

    private void ask(Question asked) {
        question = asked;
        answer = null;
        call(asked, () -> bot == null ? asked.decision().getDefaultAnswer() : match.ask(bot, asked));
    }

    private void call(Question asked, Supplier<Answer> method) {
        lastCall = calls.after(lastCall, () -> {
            long beganMs = clockMs.getAsLong();
            Answer given = null;
            Throwable failure = null;
            try {
                given = method.get();
            } catch (Throwable thrown) { // The player decides what comes of it.
                failure = thrown;
            }
            long ms = clockMs.getAsLong() - beganMs;
            return new Outcome(this, asked, bot != null, given, failure, ms);
        });
    }

    /** Stores an answer, and returns it ready to be sent if its question is still open. */
    Optional<Reply> answered(Question asked, Answer given) {
        if (asked == null || asked != question) {
            return Optional.empty();
        }
        answer = given;
        return reply();
    }

    private Optional<Reply> reply() {
        if (open == null || answer == null) {
            return Optional.empty();
        }
        Choice.Builder choice = Choice.newBuilder()
                .setMatchHandle(open.getMatchHandle())
                .setNumber(open.getNumber())
                .setAnswer(answer);
        return Optional.of(new Reply(this, choice, askedMs));
    }

    /** Returns true for the first failure of the bot. */
    boolean isFirstFailure() {
        boolean isFirst = !hasFailed;
        hasFailed = true;
        return isFirst;
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
