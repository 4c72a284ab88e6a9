package org.ordago.bot;

import io.grpc.Status;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.ordago.v1.Accepted;
import org.ordago.v1.BotMessage;
import org.ordago.v1.Decision;
import org.ordago.v1.DescribeEventResponse;
import org.ordago.v1.Forfeited;
import org.ordago.v1.Goodbye;
import org.ordago.v1.Hello;
import org.ordago.v1.MatchEnd;
import org.ordago.v1.MatchStart;
import org.ordago.v1.PlayRequest;
import org.ordago.v1.PlayResponse;
import org.ordago.v1.Refused;
import org.ordago.v1.Retire;
import org.ordago.v1.ServerMessage;
import org.ordago.v1.Software;
import org.ordago.v1.Welcome;

/**
 * One process of a bot over all of its connections, without I/O: frames of the server in, frames for the server out. A
 * frame without messages is not to be sent.
 */
final class Player {
    /** The name of this SDK. */
    static final String SDK = "ordago java";

    private static final int CONTRACT_VERSION = 1;
    /** The capability of a bot whose answers are taken without a word where they stand. */
    private static final String TACIT_ACCEPTANCE = "tacit_acceptance";

    private final Function<Match, Bot> factory;
    private final LongSupplier clockMs;
    private final Words words;
    private final Receipts receipts;
    private final Hello.Builder hello;
    /** By their handles, ascending as they stand in a resume. */
    private final Map<Integer, Seat> seats = new TreeMap<>(Integer::compareUnsigned);
    /** The handles of all matches of this session: one that is over may be announced once more. */
    private final Set<Integer> begun = new HashSet<>();

    private Pauses pauses;
    private String farewell;
    private long retryAfterMs;
    private long resumeWindowMs;
    private boolean isAlive;
    private boolean isDismissed;
    private boolean isOpen;
    private boolean isRetiring;
    private boolean hasSaidRetire;

    /**
     * Prepares to play.
     *
     * @param factory makes a bot for each match
     * @param wishes what Hello says of the bot; the versions are filled in here
     * @param clockMs tells the time in milliseconds; it measures how long the bots think
     * @param words tells whoever watches what happens
     * @param receipts keeps what the server says of an event
     */
    Player(Function<Match, Bot> factory, Hello wishes, LongSupplier clockMs, Words words, Receipts receipts) {
        this.factory = factory;
        this.clockMs = clockMs;
        this.words = words;
        this.receipts = receipts;
        hello = wishes.toBuilder()
                .setMinVersion(CONTRACT_VERSION)
                .setMaxVersion(CONTRACT_VERSION)
                .setSdk(Software.newBuilder().setName(SDK).setVersion(version()))
                .addAllCapabilities(capabilities(words));
    }

    /** Whoever is shown all that comes wants to see what each answer cost. */
    private static List<String> capabilities(Words words) {
        return words.areVerbose() ? List.of() : List.of(TACIT_ACCEPTANCE);
    }

    /** Returns the version of this SDK, from its jar; empty for classes outside a jar. */
    static String version() {
        return Objects.requireNonNullElse(Player.class.getPackage().getImplementationVersion(), "");
    }

    /** Says whether it wants to learn, before each connection, which event the server plays. */
    boolean keepsReceipts() {
        return receipts != Receipts.NONE;
    }

    /** Learns which event the server plays, before a connection begins. It may be none. */
    void learn(DescribeEventResponse described) {
        receipts.describe(described, hello.getNonce());
    }

    /** Begins a connection: returns the first frame. It resumes the session that there was before, if any. */
    PlayRequest connect(long nowMs) {
        pauses = pauses == null ? new Pauses(nowMs) : pauses;
        retryAfterMs = 0;
        isAlive = isOpen = isDismissed = hasSaidRetire = false;
        seats.values().forEach(Seat::disconnect);
        if (hello.hasResume()) {
            hello.getResumeBuilder().clearMatches();
            seats.forEach((handle, seat) -> hello.getResumeBuilder()
                    .addMatchesBuilder()
                    .setMatchHandle(handle)
                    .setLastDecision(seat.number()));
        }
        return frame(List.of(BotMessage.newBuilder().setHello(hello).build()));
    }

    /** Takes no more seats: returns the frame that says so. It is said again on each connection after this one. */
    PlayRequest retire() {
        isRetiring = true;
        return frame(retirement());
    }

    /** Returns the frame that ends the session. */
    PlayRequest leave(String sentence) {
        Goodbye goodbye = Goodbye.newBuilder().setSentence(sentence).build();
        return frame(
                isOpen ? List.of(BotMessage.newBuilder().setGoodbye(goodbye).build()) : List.of());
    }

    /** Says whether anything came over the connection. */
    boolean isAlive() {
        return isAlive;
    }

    /** Says whether the server said goodbye over the connection, which ends then. */
    boolean isDismissed() {
        return isDismissed;
    }

    /** Takes in a frame that came at a time, by the clock, and returns the one to send back. */
    PlayRequest receive(PlayResponse response, long arrivedMs) {
        isAlive = true;
        List<Seat.Reply> replies = new ArrayList<>();
        for (ServerMessage message : response.getMessagesList()) {
            Seat.Reply reply = take(message, arrivedMs);
            if (reply != null) {
                replies.add(reply);
            }
        }
        // All answers to a frame are sent together, so the time of each ends with the last.
        long nowMs = clockMs.getAsLong();
        PlayRequest.Builder frame = PlayRequest.newBuilder();
        replies.forEach(reply -> frame.addMessagesBuilder().setChoice(reply.sent(nowMs)));
        PlayRequest sent = frame.addAllMessages(retirement()).build();
        words.went(sent);
        return sent;
    }

    /**
     * Learns that the connection is lost, and says what comes then.
     *
     * @param status how it ended; OK for an orderly end
     * @param sentence why, in words of the server
     * @param retryAfterMs how long the server wants to be left alone, 0 if it does not say
     * @param nowMs when it ended, by the clock
     * @param jitter by chance from 0 to 1, so that not all bots come back at the same time
     */
    Next lost(Status.Code status, String sentence, long retryAfterMs, long nowMs, double jitter) {
        boolean isGone = !isAlive && isRefusal(status) && hello.hasResume();
        if (isGone) {
            loseSession(sentence);
        }
        if (farewell != null) {
            // A status that says what was wrong counts for more than the words before it.
            return isGone || isBroken(status)
                    ? new Next.Over(Program.OK, farewell)
                    : new Next.Over(Program.SESSION_ENDED, "ended the session: " + farewell);
        }
        long obeyedMs = this.retryAfterMs > 0 ? this.retryAfterMs : retryAfterMs;
        if (!isGone && !isBroken(status) && (obeyedMs == 0 || isRefusal(status))) {
            return new Next.Over(Program.SESSION_ENDED, "ended the session (" + status + "): " + sentence);
        }
        if (isAlive || isGone) {
            pauses.restart(nowMs);
        }
        return obeyedMs > 0 ? new Next.Pause(pauses.obeying(obeyedMs, nowMs, jitter)) : pause(sentence, nowMs, jitter);
    }

    private Next pause(String sentence, long nowMs, double jitter) {
        return pauses.areOver(nowMs, resumeWindowMs)
                ? new Next.Over(Program.SESSION_ENDED, "does not answer: " + sentence)
                : new Next.Pause(pauses.next(jitter));
    }

    /** Says whether a connection is worth to be taken up again. Without a Goodbye an orderly end is none. */
    private static boolean isBroken(Status.Code status) {
        return switch (status) {
            case OK, UNAVAILABLE, UNKNOWN, INTERNAL, CANCELLED -> true;
            default -> false;
        };
    }

    private static boolean isRefusal(Status.Code status) {
        return status == Status.Code.UNAUTHENTICATED || status == Status.Code.PERMISSION_DENIED;
    }

    /** Ends the session. A new one begins with the next connection, but for who takes no more seats: he is done. */
    private void loseSession(String sentence) {
        int inAll = hello.getMatchesInAll();
        int left = inAll - begun.size();
        boolean isPlayed = inAll != 0 && Integer.compareUnsigned(inAll, begun.size()) <= 0;
        farewell = isRetiring || isPlayed ? sentence : null;
        hello.clearResume().setMatchesInAll(inAll == 0 || isPlayed ? 0 : left);
        resumeWindowMs = 0;
        begun.clear();
    }

    private Seat.Reply take(ServerMessage message, long arrivedMs) {
        words.came(message);
        switch (message.getBodyCase()) {
            case WELCOME -> welcomed(message.getWelcome());
            case MATCH_START -> begin(message.getMatchStart());
            case DECISION -> {
                return decide(message.getDecision(), arrivedMs);
            }
            case REFUSED -> {
                return refused(message.getRefused());
            }
            case ACCEPTED -> accepted(message.getAccepted());
            case FORFEITED -> forfeited(message.getForfeited());
            case MATCH_END -> end(message.getMatchEnd());
            case DRAINING -> words.draining(message.getDraining());
            case EVENT_NOTICE -> words.notice(message.getEventNotice());
            case GOODBYE -> dismissed(message.getGoodbye());
            case BODY_NOT_SET -> {} // It comes from a newer server.
        }
        return null;
    }

    private void welcomed(Welcome welcome) {
        words.connected(welcome);
        if (!welcome.getResumed()) {
            seats.clear();
        }
        isOpen = true;
        hello.getResumeBuilder().setSessionId(welcome.getSessionId()).setResumeToken(welcome.getResumeToken());
        resumeWindowMs = Integer.toUnsignedLong(welcome.getLimits().getResumeWindowMs());
    }

    /** Ends the session: for good, or until the time that the server names. */
    private void dismissed(Goodbye goodbye) {
        isOpen = false;
        isDismissed = true;
        if (goodbye.getRetryAfterMs() != 0 && goodbye.getFaultValue() == 0) {
            words.goodbyeForNow(goodbye);
            retryAfterMs = Integer.toUnsignedLong(goodbye.getRetryAfterMs());
            loseSession(goodbye.getSentence());
        } else {
            farewell = goodbye.getSentence();
        }
    }

    /** Begins a match, or goes on with it after a resume. */
    private void begin(MatchStart start) {
        begun.add(start.getMatchHandle());
        Seat known = seats.get(start.getMatchHandle());
        if (known == null || !known.carriesOn(start)) {
            words.begin(start);
            Match match = new Match(start);
            seats.put(start.getMatchHandle(), new Seat(match, factory.apply(match)));
            receipts.begin(start);
        }
    }

    private Seat.Reply decide(Decision decision, long arrivedMs) {
        Seat seat = seats.get(decision.getMatchHandle());
        if (seat == null) {
            words.strangeDecision(decision);
            return null;
        }
        Seat.Reply reply = seat.decide(decision, arrivedMs);
        heed(seat);
        return reply;
    }

    private Seat.Reply refused(Refused refused) {
        Seat seat = seats.get(refused.getMatchHandle());
        // The default answer may stand in for all answers of a match: its author has to hear of it, but not each time.
        if (seat == null || seat.isFirstRefusal(Words.cause(refused))) {
            words.refused(refused, seat);
        }
        if (seat == null) {
            return null;
        }
        Seat.Reply reply = seat.decideAgain(refused);
        heed(seat);
        return reply;
    }

    private void accepted(Accepted accepted) {
        Seat seat = seats.get(accepted.getMatchHandle());
        if (seat != null && seat.close(accepted.getNumber())) {
            words.accepted(accepted, seat);
        }
    }

    private void forfeited(Forfeited notice) {
        words.forfeited(notice);
        Seat seat = seats.get(notice.getMatchHandle());
        if (seat != null) {
            seat.bot().forfeited(notice);
            heed(seat);
        }
    }

    private void end(MatchEnd end) {
        Seat seat = seats.remove(end.getMatchHandle());
        if (seat != null) {
            receipts.end(seat.match().start(), end);
            words.end(end, seat);
            seat.bot().ended(end);
            heed(seat);
        }
    }

    /** Retires if a bot said so. */
    private void heed(Seat seat) {
        isRetiring |= seat.match().isRetiring();
    }

    private List<BotMessage> retirement() {
        if (!isRetiring || hasSaidRetire || !isOpen) {
            return List.of();
        }
        hasSaidRetire = true;
        return List.of(
                BotMessage.newBuilder().setRetire(Retire.getDefaultInstance()).build());
    }

    private static PlayRequest frame(List<BotMessage> messages) {
        return PlayRequest.newBuilder().addAllMessages(messages).build();
    }
}
