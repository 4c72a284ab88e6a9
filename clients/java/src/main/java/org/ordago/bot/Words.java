package org.ordago.bot;

import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import java.util.stream.Collectors;
import org.ordago.v1.Accepted;
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

/** What a player writes into its log, for whoever watches the bot. */
final class Words {
    private final Log log;
    /** How many matches of the event there are, and have begun: what the server said last, and counted on. */
    private long planned;

    private long begun;

    Words(Log log) {
        this.log = log;
    }

    /** Says whether everything is said, or only what somebody should know. */
    boolean areVerbose() {
        return log.verbose();
    }

    void came(ServerMessage message) {
        if (log.verbose()) {
            log.debug("came: "
                    + (message.hasWelcome() ? "welcome" : line(message))); // It holds the token of the session.
        }
    }

    void went(PlayRequest frame) {
        if (log.verbose()) {
            frame.getMessagesList().forEach(message -> log.debug("went: " + line(message)));
        }
    }

    private static String line(Message message) {
        String text = TextFormat.printer().emittingSingleLine(true).printToString(message);
        return text.isEmpty() ? "a message of an unknown kind" : text;
    }

    void connected(Welcome welcome) {
        String games = welcome.getGamesList().stream().map(OfferedGame::getGame).collect(Collectors.joining(", "));
        log.info("connected; games: " + games);
    }

    void draining(Draining draining) {
        log.info("the server is going down: " + draining.getSentence());
    }

    void notice(EventNotice notice) {
        begun = Integer.toUnsignedLong(notice.getMatchesBegun());
        planned = Integer.toUnsignedLong(notice.getMatchesPlanned());
        log.info("event: " + notice.getSentence());
    }

    void goodbyeForNow(Goodbye goodbye) {
        log.info("the server said goodbye for now: " + goodbye.getSentence());
    }

    void begin(MatchStart start) {
        begun++;
        String count = planned == 0 ? "" : ", match " + begun + " of " + planned;
        log.info("match " + start.getMatchId() + " of " + start.getGame() + " begins, seat " + start.getSeat() + count);
    }

    void strangeDecision(Decision decision) {
        log.warn(
                "a decision of a match that was not announced: " + Integer.toUnsignedString(decision.getMatchHandle()));
    }

    void refused(Refused refused, Seat seat) {
        String match =
                seat == null ? "a match that is over" : "match " + seat.match().id();
        log.warn(match + ", decision " + refused.getNumber() + ": refused: " + refused.getSentence() + " ("
                + cause(refused) + ")");
    }

    /** Returns why an answer was refused: the rule, or the field to blame, or the fault. */
    static String cause(Refused refused) {
        if (!refused.getRule().isEmpty()) {
            return refused.getRule();
        }
        return refused.getField().isEmpty() ? fault(refused.getFaultValue()) : refused.getField();
    }

    void accepted(Accepted accepted, Seat seat) {
        String where = "match " + seat.match().id() + ", decision " + accepted.getNumber() + ": ";
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
        String reason = accepted.getSentence() + " (" + fault(accepted.getFaultValue()) + ")";
        int left = accepted.getFaultsLeft();
        return left == 0 ? reason : reason + "; " + left + " more and the match is forfeited";
    }

    void forfeited(Forfeited notice) {
        log.warn("match " + Integer.toUnsignedString(notice.getMatchHandle()) + " is forfeited: " + notice.getSentence()
                + " (" + fault(notice.getFaultValue()) + ")");
    }

    void end(MatchEnd end, Seat seat) {
        String forfeits = end.getForfeitsList().stream()
                .map(forfeit -> ", seat " + forfeit.getSeat() + " forfeited (" + fault(forfeit.getFaultValue()) + ")")
                .collect(Collectors.joining());
        String outcome =
                end.hasOutcome() ? "placing " + placing(end, seat.match().seat()) : "void: " + end.getSentence();
        log.info("match " + seat.match().id() + " ended: " + outcome + forfeits);
    }

    private static String placing(MatchEnd end, int seat) {
        // A placing that is missing is the mistake of the server: it ends no bot.
        return seat >= 0 && seat < end.getOutcome().getPlacingsCount()
                ? "" + end.getOutcome().getPlacings(seat)
                : "unknown";
    }

    /** Returns the name of a fault; a server that is newer than this may know others. */
    private static String fault(int number) {
        Fault fault = Fault.forNumber(number);
        return fault == null ? "fault " + number : fault.name();
    }
}
