package org.ordago.bot;

import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import io.grpc.Status;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.ordago.bot.Calls.Outcome;
import org.ordago.v1.Accepted;
import org.ordago.v1.BotMessage;
import org.ordago.v1.Choice;
import org.ordago.v1.Decision;
import org.ordago.v1.Draining;
import org.ordago.v1.EventNotice;
import org.ordago.v1.Fault;
import org.ordago.v1.Forfeit;
import org.ordago.v1.Forfeited;
import org.ordago.v1.MatchEnd;
import org.ordago.v1.MatchStart;
import org.ordago.v1.OfferedGame;
import org.ordago.v1.PlayRequest;
import org.ordago.v1.Refused;
import org.ordago.v1.ServerMessage;
import org.ordago.v1.Welcome;

/** Events of a player, and their summary: docs/bot-process.md, Log. */
final class PlayerLog {
    private static final double MS_PER_SECOND = 1_000;
    private static final String UNKNOWN_MATCH = "a match that is over";

    private final Log log;
    private final Summary summary = new Summary();
    /** The number of matches that the event has and that have begun, by its last notice and counted on since. */
    private long planned;

    private long begun;

    PlayerLog(Log log) {
        this.log = log;
    }

    /** Returns true if every message is logged. */
    boolean areVerbose() {
        return log.verbose();
    }

    void came(ServerMessage message) {
        if (log.verbose()) {
            log.event(Level.DEBUG, "came").write("came: " + oneLine(withoutSecrets(message)));
        }
    }

    void went(PlayRequest frame) {
        if (log.verbose()) {
            frame.getMessagesList()
                    .forEach(message ->
                            log.event(Level.DEBUG, "went").write("went: " + oneLine(withoutSecrets(message))));
        }
    }

    private static ServerMessage withoutSecrets(ServerMessage message) {
        ServerMessage.Builder shown = message.toBuilder();
        if (message.hasWelcome()) {
            shown.getWelcomeBuilder().clearResumeToken();
        }
        return shown.build();
    }

    private static BotMessage withoutSecrets(BotMessage message) {
        BotMessage.Builder shown = message.toBuilder();
        if (message.hasHello()) {
            shown.getHelloBuilder().clearNonce();
        }
        if (message.getHello().hasResume()) {
            shown.getHelloBuilder().getResumeBuilder().clearResumeToken();
        }
        return shown.build();
    }

    private static String oneLine(Message message) {
        String text = TextFormat.printer().emittingSingleLine(true).printToString(message);
        return text.isEmpty() ? "a message of an unknown kind" : text;
    }

    void connected(Welcome welcome) {
        List<String> games =
                welcome.getGamesList().stream().map(OfferedGame::getGame).toList();
        boolean resumed = welcome.getResumed();
        String message = (resumed ? "session resumed" : "connected") + "; games: " + String.join(", ", games);
        log.event(Level.INFO, resumed ? "resumed" : "connected")
                .with("games", games)
                .write(message);
    }

    void draining(Draining draining) {
        String sentence = draining.getSentence();
        log.event(Level.INFO, "draining")
                .with("sentence", sentence)
                .write("the server is going down: " + told(sentence));
    }

    void notice(EventNotice notice) {
        begun = Integer.toUnsignedLong(notice.getMatchesBegun());
        planned = Integer.toUnsignedLong(notice.getMatchesPlanned());
        String sentence = notice.getSentence();
        log.event(Level.INFO, "event_notice").with("sentence", sentence).write("event: " + told(sentence));
    }

    void announcement(String sentence) {
        log.event(Level.INFO, "announcement").with("sentence", sentence).write("announcement: " + told(sentence));
    }

    void begin(MatchStart start) {
        begun++;
        String count = planned == 0 ? "" : ", match " + begun + " of " + planned;
        announce("match_begins", start, " begins", count);
    }

    void goOn(MatchStart start) {
        announce("match_goes_on", start, " goes on", "");
    }

    private void announce(String name, MatchStart start, String verb, String count) {
        long seat = Integer.toUnsignedLong(start.getSeat());
        String message = "match " + start.getMatchId() + " of " + start.getGame() + verb + ", seat " + seat + count;
        boolean isCounted = !count.isEmpty();
        log.event(Level.INFO, name)
                .with("match", start.getMatchId())
                .with("game", start.getGame())
                .with("seat", seat)
                .with("number", isCounted ? begun : null)
                .with("planned", isCounted ? planned : null)
                .write(message);
    }

    private static String match(Seat seat) {
        return seat == null ? UNKNOWN_MATCH : "match " + seat.match().id();
    }

    private static String id(Seat seat) {
        return seat == null ? null : seat.match().id();
    }

    private static String decision(Seat seat, int number) {
        return match(seat) + ", decision " + Integer.toUnsignedString(number);
    }

    void strangeDecision(Decision decision) {
        log.note(Level.WARNING, decision(null, decision.getNumber()) + ": it is not answered");
    }

    void refused(Refused refused, Seat seat) {
        String cause = cause(refused);
        String sentence = refused.getSentence();
        summary.refused(cause);
        // A faulty bot may have every answer of a match refused: its author has to see it, but once for each cause.
        if (seat == null || seat.isFirstRefusal(cause)) {
            log.event(Level.WARNING, "refused")
                    .with("match", id(seat))
                    .with("decision", Integer.toUnsignedLong(refused.getNumber()))
                    .with("cause", cause)
                    .with("sentence", sentence)
                    .write(decision(seat, refused.getNumber()) + ": refused: " + told(sentence) + " (" + cause + ")");
        }
    }

    /** Returns the cause of a refusal: the rule, else the field, else the fault. */
    private static String cause(Refused refused) {
        if (!refused.getRule().isEmpty()) {
            return refused.getRule();
        }
        return refused.getField().isEmpty() ? fault(refused.getFaultValue()) : refused.getField();
    }

    void accepted(Accepted accepted, Seat seat) {
        String where = decision(seat, accepted.getNumber()) + ": ";
        log.note(Level.DEBUG, where + cost(accepted));
        if (accepted.getFaultValue() != 0) {
            defaultTaken(accepted, seat, where);
        }
    }

    private static String cost(Accepted accepted) {
        String lag = accepted.getLagMs() == 0 ? "" : ", travelled for " + accepted.getLagMs() + " ms";
        String lost = accepted.getLostMs() == 0 ? "" : ", the server lost " + accepted.getLostMs() + " ms";
        return "charged " + accepted.getChargedMs() + " ms" + lag + lost + ", " + accepted.getBankMs()
                + " ms left in the bank";
    }

    private void defaultTaken(Accepted accepted, Seat seat, String where) {
        String sentence = accepted.getSentence();
        String fault = fault(accepted.getFaultValue());
        long left = Integer.toUnsignedLong(accepted.getFaultsLeft());
        String warning = left == 0 ? "" : "; " + left + " more and the match is forfeited";
        summary.defaultTaken(fault);
        log.event(Level.WARNING, "default_taken")
                .with("match", id(seat))
                .with("decision", Integer.toUnsignedLong(accepted.getNumber()))
                .with("fault", fault)
                .with("faults_left", left)
                .with("sentence", sentence)
                .write(where + "the default answer was taken: " + told(sentence) + " (" + fault + ")" + warning);
    }

    void forfeited(Forfeited notice, Seat seat) {
        String sentence = notice.getSentence();
        String fault = fault(notice.getFaultValue());
        if (seat != null) {
            summary.forfeited();
        }
        String message = match(seat) + " is forfeited: " + told(sentence) + " (" + fault + ")";
        log.event(Level.WARNING, "forfeited")
                .with("match", id(seat))
                .with("fault", fault)
                .with("sentence", sentence)
                .write(message);
    }

    /** Logs that a bot failed: the first time in a match with stack trace and decision. */
    void failed(Outcome outcome) {
        summary.failed();
        Seat seat = outcome.seat();
        Decision asked = outcome.question() == null ? null : outcome.question().decision();
        boolean isFirst = seat.isFirstFailure();
        String where = asked == null ? match(seat) : decision(seat, asked.getNumber());
        String how = asked != null
                ? ": the bot failed, and the default answer is taken: "
                : outcome.hasBot()
                        ? ": the bot failed: "
                        : ": the bot failed at its start, and default answers are taken: ";
        String error = message(outcome.failure());
        log.event(Level.ERROR, "failed")
                .with("match", id(seat))
                .with("decision", asked == null ? null : Integer.toUnsignedLong(asked.getNumber()))
                .with("error", error)
                .with("trace", isFirst ? Log.trace(outcome.failure()) : null)
                .with("asked", isFirst ? asked : null)
                .write(where + how + error);
    }

    /** Returns the sentence about a failure that ends the process. */
    static String failure(Outcome outcome) {
        Seat seat = outcome.seat();
        String where = outcome.question() == null
                ? match(seat)
                : decision(seat, outcome.question().decision().getNumber());
        return where + ": the bot failed: " + message(outcome.failure());
    }

    /** Returns the message of a failure, or its kind if it has none. */
    static String message(Throwable failure) {
        String message = failure.getMessage();
        return message == null || message.isEmpty() ? failure.toString() : message;
    }

    /** Counts an answer that is sent. */
    void answered(Seat seat, Choice choice) {
        summary.thought(
                Integer.toUnsignedLong(choice.getThoughtMs()), seat.match().id(), choice.getNumber());
    }

    void end(MatchEnd end, Seat seat) {
        String forfeits = end.getForfeitsList().stream()
                .map(forfeit -> ", seat " + seat(forfeit) + " forfeited (" + fault(forfeit.getFaultValue()) + ")")
                .collect(Collectors.joining());
        Integer placing = placing(end, seat.match().seat());
        boolean isVoid = !end.hasOutcome();
        String outcome = isVoid
                ? "void" + forfeits + ": " + told(end.getSentence())
                : "placing " + (placing == null ? "unknown" : placing) + forfeits;
        if (isVoid || placing != null) {
            summary.ended(placing);
        }
        List<Map<String, Object>> forfeited = end.getForfeitsList().stream()
                .map(forfeit -> Map.<String, Object>of("seat", seat(forfeit), "fault", fault(forfeit.getFaultValue())))
                .toList();
        log.event(Level.INFO, "match_ended")
                .with("match", id(seat))
                .with("placing", placing)
                .with("void", isVoid ? end.getSentence() : null)
                .with("forfeits", forfeited.isEmpty() ? null : forfeited)
                .write(match(seat) + " ended: " + outcome);
    }

    private static long seat(Forfeit forfeit) {
        return Integer.toUnsignedLong(forfeit.getSeat());
    }

    /** Returns a placing; null if it is missing, which is a fault of the server, and no reason to end the bot. */
    private static Integer placing(MatchEnd end, int seat) {
        boolean isThere = seat >= 0 && seat < end.getOutcome().getPlacingsCount();
        return isThere ? (Integer) end.getOutcome().getPlacings(seat) : null;
    }

    /**
     * Logs the step after a lost connection.
     *
     * @param address the address of the server
     * @param hint the end of the sentence if the server cannot be reached; possibly empty
     */
    void next(Next next, String address, String hint) {
        if (next instanceof Next.Pause pause) {
            pause(pause);
        } else if (next instanceof Next.Goodbye goodbye) {
            goodbye(goodbye.sentence());
        } else if (next instanceof Next.Unreachable unreachable) {
            unreachable(address, unreachable.reason(), hint);
        } else {
            ended(address, (Next.Ended) next);
        }
    }

    private void pause(Next.Pause pause) {
        double seconds = pause.ms() / MS_PER_SECOND;
        String again = String.format(Locale.ROOT, "; trying again in %.2f s", seconds);
        String detail = pause.detail();
        switch (pause.reason()) {
            case CONNECTION_BROKE ->
                log.event(Level.INFO, "connection_broke")
                        .with("reason", detail)
                        .with("seconds", seconds)
                        .write("the connection broke (" + detail + ")" + again);
            case GONE_DOWN ->
                log.event(Level.INFO, "gone_down").with("seconds", seconds).write("the server has gone down" + again);
            case GOODBYE_FOR_NOW ->
                log.event(Level.INFO, "goodbye_for_now")
                        .with("sentence", detail)
                        .with("seconds", seconds)
                        .write("the server said goodbye for now: " + told(detail) + again);
        }
    }

    void toldToStop() {
        String message = "told to stop: running matches are played to their end; once more to leave at once";
        log.event(Level.INFO, "told_to_stop").write(message);
    }

    private void goodbye(String sentence) {
        log.event(Level.INFO, "goodbye").with("sentence", sentence).write("the server said goodbye: " + told(sentence));
    }

    private void unreachable(String address, String reason, String hint) {
        String message = "the server at " + address + " does not answer (" + reason + ")" + hint;
        log.event(Level.ERROR, "unreachable")
                .with("address", address)
                .with("reason", reason)
                .write(message);
    }

    private void ended(String address, Next.Ended ended) {
        String sentence = ended.sentence();
        log.event(Level.ERROR, "session_ended")
                .with("address", address)
                .with("status", ended.status().name())
                .with("sentence", sentence)
                .write("the server at " + address + " ended the session (" + ended.status() + "): " + told(sentence));
    }

    /** Logs what makes a connection impossible. */
    void impossible(String address, String problem) {
        log.note(Level.ERROR, "the server at " + address + " " + problem);
    }

    /** Logs the summary, if a match has ended. */
    void summary() {
        if (summary.matches() > 0) {
            log.event(Level.INFO, "summary").with(summary.fields()).write(summary.sentence());
        }
    }

    /** Returns true if nothing went wrong that {@code --strict} counts. */
    boolean isFlawless() {
        return summary.isFlawless();
    }

    /** Returns why a connection ended; never empty. */
    static String ending(Status.Code status, String reason) {
        if (!reason.isEmpty()) {
            return reason;
        }
        return status == Status.Code.OK ? "the stream ended" : status.name();
    }

    /** Returns a sentence of the server, or that there is none. */
    private static String told(String sentence) {
        return sentence.isEmpty() ? "no reason was given" : sentence;
    }

    /** Returns the name of a fault, or its number if only a newer server knows it. */
    private static String fault(int number) {
        Fault fault = Fault.forNumber(number);
        return fault == null ? "fault " + number : fault.name();
    }
}
