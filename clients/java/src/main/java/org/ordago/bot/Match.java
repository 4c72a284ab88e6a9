package org.ordago.bot;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.ordago.v1.ClockTerms;
import org.ordago.v1.FaultTerms;
import org.ordago.v1.GameOptions;
import org.ordago.v1.MatchStart;
import org.ordago.v1.Player;

/** What a bot knows of its match from the beginning, and its chance. */
public final class Match {
    private final MatchStart start;
    private final Random random = new Random();
    private boolean retiring;

    /**
     * Begins a match. The SDK does that for the bots that it runs; a test may do it for its own.
     *
     * @param start the match as the server announced it
     */
    public Match(MatchStart start) {
        this.start = start;
        reseed(0);
    }

    /** Returns the match as the server announced it. */
    public MatchStart start() {
        return start;
    }

    /** Returns the name of the match for ever. */
    public String id() {
        return start.getMatchId();
    }

    /** Returns the short name of the game, for instance {@code mittlere}. */
    public String game() {
        return start.getGame();
    }

    /** Returns the options that the match is played with, complete. */
    public GameOptions options() {
        return start.getOptions();
    }

    /** Returns the time that each seat has. */
    public ClockTerms clock() {
        return start.getClock();
    }

    /** Returns what comes of faults. */
    public FaultTerms faults() {
        return start.getFaults();
    }

    /** Returns the seed of the bot's own chance, 16 bytes, the same whenever the same match is played again. */
    public byte[] seed() {
        return start.getSeed().toByteArray();
    }

    /** Returns the seat of the bot, from 0. */
    public int seat() {
        return start.getSeat();
    }

    /** Returns all seats in order, with name, version and side of each. */
    public List<Player> players() {
        return start.getPlayersList();
    }

    /** Returns the name of whoever sits in a seat. */
    public String name(int seat) {
        return players().get(seat).getName();
    }

    /** Returns the seat that plays after a seat. */
    public int seatAfter(int seat) {
        return (seat + 1) % players().size();
    }

    /** Returns the seats, but for the bot's own, that play for its side, beginning with the next after its own. */
    public List<Integer> partners() {
        return others(seat -> side(seat) == side(seat()));
    }

    /** Returns the seats that play for other sides, beginning with the next after the bot's own. */
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

    /** Returns the cards of the game; {@link IllegalArgumentException} where this SDK does not know the game. */
    public GameCards cards() {
        return GameCards.of(game());
    }

    /**
     * Returns chance of the bot's own. It begins anew with each decision, from the seed of the match and the number of
     * the decision. So a bot that draws from it alone plays the same whenever the same match is played again, and also
     * when a new process carries on a match in the middle.
     */
    public Random random() {
        return random;
    }

    /**
     * Takes no more seats: all running matches of this process are played to their end, then it ends. It is said with
     * the next answer, or when the match is over.
     */
    public void retire() {
        retiring = true;
    }

    boolean isRetiring() {
        return retiring;
    }

    /** Begins chance anew for a decision: all SDKs take the seed and then the number, four bytes, big-endian. */
    void reseed(int number) {
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
