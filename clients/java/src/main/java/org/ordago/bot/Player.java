package org.ordago.bot;

import io.grpc.Status;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.ordago.bot.Calls.Outcome;
import org.ordago.v1.Accepted;
import org.ordago.v1.Answer;
import org.ordago.v1.BotMessage;
import org.ordago.v1.Choice;
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
 * State machine of a bot process over all its connections, without I/O: frames of the server in, frames for the server
 * out. A frame without messages is not sent.
 */
final class Player {
    /** The name of this SDK. */
    static final String SDK = "ordago java";
    /** Its version. A manifest would lose it in a jar with a bot's own. */
    static final String VERSION = "0.1.0";

    private static final int CONTRACT_VERSION = 1;
    /** The capability of a bot that needs no message for each accepted answer. */
    private static final String TACIT_ACCEPTANCE = "tacit_acceptance";

    private final Bots bots;
    private final LongSupplier clockMs;
    private final Calls calls;
    private final PlayerLog log;
    private final DecisionLog decisions;
    private final Receipts receipts;
    private final Hello.Builder hello;
    /** By handle, in the ascending order of a resume. */
    private final Map<Integer, Seat> seats = new TreeMap<>(Integer::compareUnsigned);
    /** The handles of all matches of this session. A match that is over may be announced again. */
    private final Set<Integer> begun = new HashSet<>();
    /** Answers that are ready for the next frame. */
    private final List<Seat.Reply> ready = new ArrayList<>();

    private Pauses pauses;
    private String farewell;
    /** The sentence of the server's goodbye on this connection, if it is one for now. */
    private String goodbyeForNow;

    private long retryAfterMs;
    private long resumeWindowMs;
    private boolean isAlive;
    private boolean isDismissed;
    private boolean isDraining;
    private boolean isOpen;
    private boolean isRetiring;
    private boolean hasSaidRetire;

    /**
     * Prepares to play.
     *
     * @param bots the bots
     * @param wishes name, games and limits of the bot; the versions are filled in here
     * @param clockMs returns a monotonic time in milliseconds, to measure thinking times
     * @param log writes the log
     * @param decisions writes each decision and its answer to a file
     * @param receipts stores the receipts of an event
     */
    Player(Bots bots, Hello wishes, LongSupplier clockMs, PlayerLog log, DecisionLog decisions, Receipts receipts) {
        this.bots = bots;
        calls = new Calls(bots.executor());
        this.decisions = decisions;
        this.clockMs = clockMs;
        this.log = log;
        this.receipts = receipts;
        hello = wishes.toBuilder()
                .setMinVersion(CONTRACT_VERSION)
                .setMaxVersion(CONTRACT_VERSION)
                .setSdk(Software.newBuilder().setName(SDK).setVersion(VERSION))
                .addAllCapabilities(capabilities(log));
    }

    /**
     * Returns the capabilities. A log of all messages shows the cost of each answer, so acceptances have to be sent.
     */
    private static List<String> capabilities(PlayerLog log) {
        return log.areVerbose() ? List.of() : List.of(TACIT_ACCEPTANCE);
    }

    /** Returns true if {@link #learn} has to be called before each connection. */
    boolean keepsReceipts() {
        return receipts != Receipts.NONE;
    }

    /** Stores a receipt of the server's event, before a connection begins. There may be no event. */
    void learn(DescribeEventResponse described) {
        receipts.describe(described, hello.getNonce());
    }

    /** Begins a connection and returns its first frame, which resumes the session before, if any. */
    PlayRequest connect(long nowMs) {
        pauses = pauses == null ? new Pauses(nowMs) : pauses;
        retryAfterMs = 0;
        isAlive = isOpen = isDismissed = isDraining = hasSaidRetire = false;
        goodbyeForNow = null;
        seats.values().forEach(Seat::disconnect);
        if (hello.hasResume()) {
            hello.getResumeBuilder().clearMatches();
            seats.forEach((handle, seat) -> hello.getResumeBuilder()
                    .addMatchesBuilder()
                    .setMatchHandle(handle)
                    .setLastDecision(seat.number()));
        }
        return send(List.of(BotMessage.newBuilder().setHello(hello).build()));
    }

    /** Takes no more seats, and returns the frame that says so. Each later connection says it again. */
    PlayRequest retire() {
        isRetiring = true;
        return send(retirement());
    }

    /** Returns the frame that ends the session. */
    PlayRequest leave(String sentence) {
        Goodbye goodbye = Goodbye.newBuilder().setSentence(sentence).build();
        return send(isOpen ? List.of(BotMessage.newBuilder().setGoodbye(goodbye).build()) : List.of());
    }

    /** Returns true if anything came over the connection. */
    boolean isAlive() {
        return isAlive;
    }

    /** Returns true if the server said goodbye on this connection, which ends then. */
    boolean isDismissed() {
        return isDismissed;
    }

    /** Processes a frame that came at a time, by the clock, and returns the frame to send back. */
    PlayRequest receive(PlayResponse response, long arrivedMs) {
        isAlive = true;
        for (ServerMessage message : response.getMessagesList()) {
            take(message, arrivedMs);
            takeOutcomes();
        }
        return answer();
    }

    /** Takes up the answers that bots found in other threads, and returns the frame to send. */
    PlayRequest answers() {
        takeOutcomes();
        return answer();
    }

    /** Returns true if bots are still being called in other threads. */
    boolean isThinking() {
        return calls.areRunning();
    }

    private PlayRequest answer() {
        // All answers to a frame are sent together, so their thinking times all end with the last one.
        long nowMs = clockMs.getAsLong();
        List<BotMessage> messages = new ArrayList<>();
        for (Seat.Reply reply : ready) {
            Choice choice = reply.sent(nowMs);
            log.answered(reply.seat(), choice);
            messages.add(BotMessage.newBuilder().setChoice(choice).build());
        }
        ready.clear();
        messages.addAll(retirement());
        return send(messages);
    }

    private void takeOutcomes() {
        for (Outcome outcome = calls.poll(); outcome != null; outcome = calls.poll()) {
            Seat seat = outcome.seat();
            isRetiring |= seat.match().isRetiring();
            if (outcome.failure() != null) {
                failed(outcome);
            }
            boolean isDefault = outcome.failure() != null && outcome.question() != null;
            Answer answer = isDefault ? outcome.question().decision().getDefaultAnswer() : outcome.answer();
            decisions.write(outcome, answer);
            seat.answered(outcome.question(), answer).ifPresent(ready::add);
        }
    }

    /** Logs a failure, or throws it if it ends the process. */
    private void failed(Outcome outcome) {
        if (bots.isFatal(outcome.failure())) {
            decisions.write(outcome, null);
            throw new Bots.Failed(PlayerLog.failure(outcome), outcome.failure());
        }
        log.failed(outcome);
    }

    /**
     * Takes note of a lost connection, and returns the next step.
     *
     * @param status the status of its end; OK for an orderly one
     * @param reason the reason, in words of the server or of gRPC; empty: unknown
     * @param retryAfterMs the time for which the server wants to be left alone; 0: it does not say
     * @param nowMs the time of the end, by the clock
     * @param jitter a random number from 0 to 1, by which the pause varies
     */
    Next lost(Status.Code status, String reason, long retryAfterMs, long nowMs, double jitter) {
        boolean isGone = !isAlive && isRefusal(status) && hello.hasResume();
        if (isGone) {
            loseSession(reason);
        }
        if (farewell != null) {
            // A status that names an error outweighs the goodbye before it.
            return isGone || isBroken(status) ? new Next.Goodbye(farewell) : new Next.Ended(status, farewell);
        }
        long obeyedMs = this.retryAfterMs > 0 ? this.retryAfterMs : retryAfterMs;
        if (!isGone && !isBroken(status) && (obeyedMs == 0 || isRefusal(status))) {
            return new Next.Ended(status, reason);
        }
        if (isAlive || isGone) {
            pauses.restart(nowMs);
        }
        return pause(PlayerLog.ending(status, reason), obeyedMs, nowMs, jitter);
    }

    private Next pause(String reason, long obeyedMs, long nowMs, double jitter) {
        if (obeyedMs == 0 && pauses.areOver(nowMs, resumeWindowMs)) {
            return new Next.Unreachable(reason);
        }
        long ms = obeyedMs > 0 ? pauses.obeying(obeyedMs, nowMs, jitter) : pauses.next(jitter);
        if (goodbyeForNow != null) {
            return new Next.Pause(ms, Next.Reason.GOODBYE_FOR_NOW, goodbyeForNow);
        }
        return new Next.Pause(ms, isDraining ? Next.Reason.GONE_DOWN : Next.Reason.CONNECTION_BROKE, reason);
    }

    /** Returns true if a new connection may help. An orderly end without a Goodbye is a broken connection, too. */
    private static boolean isBroken(Status.Code status) {
        return switch (status) {
            case OK, UNAVAILABLE, UNKNOWN, INTERNAL, CANCELLED -> true;
            default -> false;
        };
    }

    private static boolean isRefusal(Status.Code status) {
        return status == Status.Code.UNAUTHENTICATED || status == Status.Code.PERMISSION_DENIED;
    }

    /** Ends the session. The next connection begins a new one, unless the bot takes no more seats: then it is done. */
    private void loseSession(String sentence) {
        int inAll = hello.getMatchesInAll();
        int left = inAll - begun.size();
        boolean isPlayed = inAll != 0 && Integer.compareUnsigned(inAll, begun.size()) <= 0;
        farewell = isRetiring || isPlayed ? sentence : null;
        hello.clearResume().setMatchesInAll(inAll == 0 || isPlayed ? 0 : left);
        resumeWindowMs = 0;
        begun.clear();
    }

    private void take(ServerMessage message, long arrivedMs) {
        log.came(message);
        switch (message.getBodyCase()) {
            case WELCOME -> welcomed(message.getWelcome());
            case MATCH_START -> begin(message.getMatchStart());
            case DECISION -> decide(message.getDecision(), arrivedMs);
            case REFUSED -> refused(message.getRefused(), arrivedMs);
            case ACCEPTED -> accepted(message.getAccepted());
            case FORFEITED -> forfeited(message.getForfeited());
            case MATCH_END -> end(message.getMatchEnd());
            case DRAINING -> {
                isDraining = true;
                log.draining(message.getDraining());
            }
            case EVENT_NOTICE -> log.notice(message.getEventNotice());
            case ANNOUNCEMENT -> log.announcement(message.getAnnouncement().getSentence());
            case GOODBYE -> dismissed(message.getGoodbye());
            case BODY_NOT_SET -> {} // A message of a newer server.
        }
    }

    private void welcomed(Welcome welcome) {
        log.connected(welcome);
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
            goodbyeForNow = goodbye.getSentence();
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
        if (known != null && known.carriesOn(start)) {
            log.goOn(start);
            return;
        }
        log.begin(start);
        Seat seat = new Seat(new Match(start, clockMs), clockMs, calls);
        seats.put(start.getMatchHandle(), seat);
        seat.begin(bots.factory());
        receipts.begin(start);
    }

    private void decide(Decision decision, long arrivedMs) {
        Seat seat = seats.get(decision.getMatchHandle());
        if (seat == null) {
            log.strangeDecision(decision);
        } else {
            seat.decide(decision, arrivedMs).ifPresent(ready::add);
        }
    }

    private void refused(Refused refused, long arrivedMs) {
        Seat seat = seats.get(refused.getMatchHandle());
        log.refused(refused, seat);
        if (seat != null) {
            seat.decideAgain(refused, arrivedMs);
        }
    }

    private void accepted(Accepted accepted) {
        Seat seat = seats.get(accepted.getMatchHandle());
        if (seat != null && seat.close(accepted.getNumber())) {
            log.accepted(accepted, seat);
        }
    }

    private void forfeited(Forfeited notice) {
        Seat seat = seats.get(notice.getMatchHandle());
        log.forfeited(notice, seat);
        if (seat != null) {
            seat.tell(notice);
        }
    }

    private void end(MatchEnd end) {
        Seat seat = seats.remove(end.getMatchHandle());
        if (seat != null) {
            receipts.end(seat.match().start(), end);
            log.end(end, seat);
            seat.tell(end);
        }
    }

    private List<BotMessage> retirement() {
        if (!isRetiring || hasSaidRetire || !isOpen) {
            return List.of();
        }
        hasSaidRetire = true;
        return List.of(
                BotMessage.newBuilder().setRetire(Retire.getDefaultInstance()).build());
    }

    private PlayRequest send(List<BotMessage> messages) {
        PlayRequest frame = PlayRequest.newBuilder().addAllMessages(messages).build();
        log.went(frame);
        return frame;
    }
}
