package org.ordago.bot;

import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import io.grpc.Status;
import java.util.stream.Collectors;
import org.ordago.v1.Accepted;
import org.ordago.v1.BotMessage;
import org.ordago.v1.Decision;
import org.ordago.v1.Draining;
import org.ordago.v1.EventNotice;
import org.ordago.v1.Fault;
import org.ordago.v1.Forfeited;
import org.ordago.v1.Goodbye;
import org.ordago.v1.MatchEnd;
import org.ordago.v1.MatchStart;
import org.ordago.v1.OfferedGame;
import org.ordago.v1.PlayRequest;
import org.ordago.v1.Refused;
import org.ordago.v1.ServerMessage;
import org.ordago.v1.Welcome;

/** Log lines of a player: docs/bot-process.md, Log. */
final class PlayerLog {
    private static final String UNKNOWN_MATCH = "a match that is over";

    private final Log log;
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
            log.debug("came: " + oneLine(withoutSecrets(message)));
        }
    }

    void went(PlayRequest frame) {
        if (log.verbose()) {
            frame.getMessagesList().forEach(message -> log.debug("went: " + oneLine(withoutSecrets(message))));
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
        String games = welcome.getGamesList().stream().map(OfferedGame::getGame).collect(Collectors.joining(", "));
        log.info((welcome.getResumed() ? "session resumed" : "connected") + "; games: " + games);
    }

    void draining(Draining draining) {
        log.info("the server is going down: " + sentence(draining.getSentence()));
    }

    void notice(EventNotice notice) {
        begun = Integer.toUnsignedLong(notice.getMatchesBegun());
        planned = Integer.toUnsignedLong(notice.getMatchesPlanned());
        log.info("event: " + sentence(notice.getSentence()));
    }

    void begin(MatchStart start) {
        begun++;
        String count = planned == 0 ? "" : ", match " + begun + " of " + planned;
        log.info(game(start) + " begins, seat " + Integer.toUnsignedString(start.getSeat()) + count);
    }

    void goOn(MatchStart start) {
        log.info(game(start) + " goes on, seat " + Integer.toUnsignedString(start.getSeat()));
    }

    private static String game(MatchStart start) {
        return "match " + start.getMatchId() + " of " + start.getGame();
    }

    private static String match(Seat seat) {
        return seat == null ? UNKNOWN_MATCH : "match " + seat.match().id();
    }

    private static String decision(Seat seat, int number) {
        return match(seat) + ", decision " + Integer.toUnsignedString(number);
    }

    void strangeDecision(Decision decision) {
        log.warn(decision(null, decision.getNumber()) + ": it is not answered");
    }

    void refused(Refused refused, Seat seat) {
        log.warn(decision(seat, refused.getNumber()) + ": refused: " + sentence(refused.getSentence()) + " ("
                + cause(refused) + ")");
    }

    /** Returns the cause of a refusal: the rule, else the field, else the fault. */
    static String cause(Refused refused) {
        if (!refused.getRule().isEmpty()) {
            return refused.getRule();
        }
        return refused.getField().isEmpty() ? fault(refused.getFaultValue()) : refused.getField();
    }

    void accepted(Accepted accepted, Seat seat) {
        String where = decision(seat, accepted.getNumber()) + ": ";
        log.debug(where + cost(accepted));
        if (accepted.getFaultValue() != 0) {
            log.warn(where + "the default answer was taken: " + reason(accepted));
        }
    }

    private static String cost(Accepted accepted) {
        String lag = accepted.getLagMs() == 0 ? "" : ", travelled for " + accepted.getLagMs() + " ms";
        String lost = accepted.getLostMs() == 0 ? "" : ", the server lost " + accepted.getLostMs() + " ms";
        return "charged " + accepted.getChargedMs() + " ms" + lag + lost + ", " + accepted.getBankMs()
                + " ms left in the bank";
    }

    private static String reason(Accepted accepted) {
        String reason = sentence(accepted.getSentence()) + " (" + fault(accepted.getFaultValue()) + ")";
        int left = accepted.getFaultsLeft();
        return left == 0 ? reason : reason + "; " + left + " more and the match is forfeited";
    }

    void forfeited(Forfeited notice, Seat seat) {
        log.warn(match(seat) + " is forfeited: " + sentence(notice.getSentence()) + " (" + fault(notice.getFaultValue())
                + ")");
    }

    void end(MatchEnd end, Seat seat) {
        String forfeits = end.getForfeitsList().stream()
                .map(forfeit -> ", seat " + Integer.toUnsignedString(forfeit.getSeat()) + " forfeited ("
                        + fault(forfeit.getFaultValue()) + ")")
                .collect(Collectors.joining());
        String outcome = end.hasOutcome()
                ? "placing " + placing(end, seat.match().seat()) + forfeits
                : "void" + forfeits + ": " + sentence(end.getSentence());
        log.info(match(seat) + " ended: " + outcome);
    }

    private static String placing(MatchEnd end, int seat) {
        // A missing placing is a fault of the server, and no reason to end the bot.
        return seat >= 0 && seat < end.getOutcome().getPlacingsCount()
                ? Integer.toString(end.getOutcome().getPlacings(seat))
                : "unknown";
    }

    static String goodbyeForNow(Goodbye goodbye) {
        return "the server said goodbye for now: " + sentence(goodbye.getSentence());
    }

    /** Returns why a connection ended; never empty. */
    static String ending(Status.Code status, String reason) {
        if (!reason.isEmpty()) {
            return reason;
        }
        return status == Status.Code.OK ? "the stream ended" : status.name();
    }

    /** Returns a sentence of the server, or that there is none. */
    static String sentence(String sentence) {
        return sentence.isEmpty() ? "no reason was given" : sentence;
    }

    /** Returns the name of a fault, or its number if only a newer server knows it. */
    private static String fault(int number) {
        Fault fault = Fault.forNumber(number);
        return fault == null ? "fault " + number : fault.name();
    }
}
