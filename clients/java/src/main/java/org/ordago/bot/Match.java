package org.ordago.bot;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.ordago.v1.Answer;
import org.ordago.v1.Answer.ActionChoiceCase;
import org.ordago.v1.ClockTerms;
import org.ordago.v1.Decision;
import org.ordago.v1.FaultTerms;
import org.ordago.v1.GameOptions;
import org.ordago.v1.MatchStart;
import org.ordago.v1.Player;
import org.ordago.v1.Refused;

/** A match as a bot knows it from the beginning, and the random numbers and the time of the bot. */
public final class Match {
    static final LongSupplier CLOCK_MS = () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime());

    private final MatchStart start;
    private final LongSupplier clockMs;
    private final Random random = new Random();
    private volatile Question asked;
    private volatile boolean retiring;

    /**
     * Begins a match. The SDK does it for the bots that it runs, and a test may do it, too.
     *
     * @param start the match as the server announced it
     */
    public Match(MatchStart start) {
        this(start, CLOCK_MS);
    }

    Match(MatchStart start, LongSupplier clockMs) {
        this.start = start;
        this.clockMs = clockMs;
        reseed(0);
    }

    /** Returns the match as the server announced it. */
    public MatchStart start() {
        return start;
    }

    /** Returns the ID of the match, which never changes. */
    public String id() {
        return start.getMatchId();
    }

    /** Returns the short name of the game, for instance {@code mittlere}. */
    public String game() {
        return start.getGame();
    }

    /** Returns all options of the match. */
    public GameOptions options() {
        return start.getOptions();
    }

    /** Returns the time that each seat has. */
    public ClockTerms clock() {
        return start.getClock();
    }

    /** Returns the consequences of faults. */
    public FaultTerms faults() {
        return start.getFaults();
    }

    /** Returns the seed of the bot's random numbers, 16 bytes, the same if the match is played again. */
    public byte[] seed() {
        return start.getSeed().toByteArray();
    }

    /** Returns the seat of the bot, from 0. */
    public int seat() {
        return start.getSeat();
    }

    /** Returns the players by seat, each with name, version and side. */
    public List<Player> players() {
        return start.getPlayersList();
    }

    /** Returns the name of the player in a seat. */
    public String name(int seat) {
        return players().get(seat).getName();
    }

    /** Returns the seat that plays after a seat. */
    public int seatAfter(int seat) {
        return (seat + 1) % players().size();
    }

    /** Returns the other seats of the bot's side, in the order of play from its own. */
    public List<Integer> partners() {
        return others(seat -> side(seat) == side(seat()));
    }

    /** Returns the seats of other sides, in the order of play from the bot's own. */
    public List<Integer> opponents() {
        return others(seat -> side(seat) != side(seat()));
    }

    private int side(int seat) {
        return players().get(seat).getSide();
    }

    private List<Integer> others(IntPredicate wanted) {
        return IntStream.iterate(seatAfter(seat()), seat -> seat != seat(), this::seatAfter)
                .filter(wanted)
                .boxed()
                .toList();
    }

    /** Returns the cards of the game; {@link IllegalArgumentException} if this SDK does not know the game. */
    public GameCards cards() {
        return GameCards.of(game());
    }

    /**
     * Returns the random numbers of the bot, reseeded for each decision from the seed of the match and the number of
     * the decision. A bot that draws from them alone plays the same if the match is played again, or if a new process
     * goes on with it.
     */
    public Random random() {
        return random;
    }

    /**
     * Returns how much of the bot's time is left, the bank included: of the decision's time from its arrival, so what
     * it waited behind other matches counts; after a refusal, of the time that the server left. Empty if the decision
     * has no clock. Any thread may call it.
     */
    public Optional<Duration> timeLeft() {
        return asked == null ? Optional.empty() : asked.timeLeft(clockMs.getAsLong());
    }

    /**
     * Asks a bot of this match, for tests: as the SDK does, with the random numbers of the decision and its time.
     *
     * @throws IllegalStateException the bot returned nothing, or an answer that names no action
     */
    public Answer ask(Bot bot, Decision decision) {
        return ask(bot, Question.of(decision, clockMs.getAsLong()));
    }

    /** Asks a bot of this match, and then again after a refusal, for tests. */
    public Answer ask(Bot bot, Decision decision, Refused refusal) {
        Question question = Question.of(decision, clockMs.getAsLong());
        ask(bot, question);
        return ask(bot, question.again(refusal, clockMs.getAsLong()));
    }

    Answer ask(Bot bot, Question question) {
        asked = question;
        Decision decision = question.decision();
        if (question.refused() != null) {
            return checked(bot.refused(decision, question.refused()), decision);
        }
        reseed(decision.getNumber());
        return checked(bot.choose(decision), decision);
    }

    private static Answer checked(Answer answer, Decision decision) {
        if (answer == null) {
            throw new IllegalStateException("it returned no answer");
        }
        boolean isEmpty = answer.getActionChoiceCase() == ActionChoiceCase.ACTIONCHOICE_NOT_SET;
        if (isEmpty && !answer.equals(decision.getDefaultAnswer())) {
            throw new IllegalStateException("its answer names no action");
        }
        return answer;
    }

    /**
     * Takes no more seats: this process plays its running matches to their end, and exits. The server learns it with
     * the next answer, or when the match is over.
     */
    public void retire() {
        retiring = true;
    }

    boolean isRetiring() {
        return retiring;
    }

    /** Reseeds for a decision: all SDKs hash the seed and the number in four bytes, big-endian. */
    private void reseed(int number) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(start.getSeed().asReadOnlyByteBuffer());
            digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(number).flip());
            random.setSeed(ByteBuffer.wrap(digest.digest()).getLong());
        } catch (NoSuchAlgorithmException error) {
            throw new IllegalStateException("every Java has SHA-256", error);
        }
    }
}
