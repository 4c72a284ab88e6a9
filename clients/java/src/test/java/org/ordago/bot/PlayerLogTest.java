package org.ordago.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ordago.v1.Accepted;
import org.ordago.v1.Decision;
import org.ordago.v1.Draining;
import org.ordago.v1.EventNotice;
import org.ordago.v1.Fault;
import org.ordago.v1.Forfeit;
import org.ordago.v1.Forfeited;
import org.ordago.v1.Goodbye;
import org.ordago.v1.Hello;
import org.ordago.v1.MatchEnd;
import org.ordago.v1.MatchStart;
import org.ordago.v1.OfferedGame;
import org.ordago.v1.Outcome;
import org.ordago.v1.PlayResponse;
import org.ordago.v1.Refused;
import org.ordago.v1.ServerMessage;
import org.ordago.v1.Welcome;

/** The log of a player, by the table of docs/bot-process.md. */
final class PlayerLogTest {
    private static final MatchStart START = MatchStart.newBuilder()
            .setMatchHandle(7)
            .setMatchId("m")
            .setGame("mus")
            .setSeat(2)
            .build();

    private final List<String> lines = new ArrayList<>();
    private PlayerLog playerLog;
    private Player player = player(false);

    private Player player(boolean verbose) {
        Hello wishes = Hello.newBuilder()
                .setNonce(ByteString.copyFromUtf8("the nonce"))
                .build();
        Log log = new Log(event -> lines.add(event.level() + " " + event.message()), verbose);
        playerLog = new PlayerLog(log);
        Bots bots = new Bots(Players.DEFAULT, Runnable::run, true);
        return new Player(bots, wishes, () -> 0, playerLog, new DecisionLog(null, log), Receipts.NONE);
    }

    private static ServerMessage.Builder message() {
        return ServerMessage.newBuilder();
    }

    /** Returns what is logged when a message comes. */
    private List<String> come(ServerMessage.Builder message) {
        lines.clear();
        player.receive(PlayResponse.newBuilder().addMessages(message).build(), 0);
        return List.copyOf(lines);
    }

    private void begin() {
        player.connect(0);
        come(message().setWelcome(Welcome.newBuilder().setSessionId("s").setResumeToken("secret")));
        come(message().setMatchStart(START));
    }

    /** Returns what is logged of the step after a lost connection. */
    private String lost(Status.Code status, String reason, long nowMs) {
        lines.clear();
        playerLog.next(player.lost(status, reason, 0, nowMs, 0), "a:1", "");
        return lines.get(0);
    }

    @Test
    void aSessionBeginsOrIsResumed() {
        Welcome.Builder welcome = Welcome.newBuilder()
                .addGames(OfferedGame.newBuilder().setGame("mittlere"))
                .addGames(OfferedGame.newBuilder().setGame("mus"));
        player.connect(0);
        assertEquals(
                List.of("INFO connected; games: mittlere, mus"), come(message().setWelcome(welcome)));
        assertEquals(
                List.of("INFO session resumed; games: mittlere, mus"),
                come(message().setWelcome(welcome.setResumed(true))));
    }

    @Test
    void aMatchBeginsOnceAndGoesOnAfterwards() {
        begin();
        assertEquals(
                List.of("INFO match m of mus goes on, seat 2"), come(message().setMatchStart(START)));
        EventNotice notice = EventNotice.newBuilder()
                .setMatchesBegun(2)
                .setMatchesPlanned(9)
                .setSentence("round 2")
                .build();
        assertEquals(List.of("INFO event: round 2"), come(message().setEventNotice(notice)));
        MatchStart other = START.toBuilder().setMatchHandle(8).setMatchId("n").build();
        assertEquals(
                List.of("INFO match n of mus begins, seat 2, match 3 of 9"),
                come(message().setMatchStart(other)));
    }

    @Test
    void aRefusalIsLoggedOnceForEachCause() {
        begin();
        come(message().setDecision(Decision.newBuilder().setMatchHandle(7).setNumber(4)));
        Refused refused = Refused.newBuilder()
                .setMatchHandle(7)
                .setNumber(4)
                .setSentence("not so")
                .setFault(Fault.FAULT_ILLEGAL)
                .build();
        assertEquals(
                List.of("WARNING match m, decision 4: refused: not so (FAULT_ILLEGAL)"),
                come(message().setRefused(refused)));
        assertEquals(List.of(), come(message().setRefused(refused)));
        Refused other = refused.toBuilder().setField("cards").clearSentence().build();
        assertEquals(
                List.of("WARNING match m, decision 4: refused: no reason was given (cards)"),
                come(message().setRefused(other)));
        assertEquals(
                List.of("WARNING a match that is over, decision 4: refused: not so (a_rule)"),
                come(message().setRefused(refused.toBuilder().setMatchHandle(9).setRule("a_rule"))));
    }

    @Test
    void aDefaultAnswerIsAWarning() {
        begin();
        Accepted accepted = Accepted.newBuilder()
                .setMatchHandle(7)
                .setNumber(4)
                .setFault(Fault.FAULT_TOO_LATE)
                .setFaultsLeft(2)
                .build();
        assertEquals(
                List.of("WARNING match m, decision 4: the default answer was taken: no reason was given"
                        + " (FAULT_TOO_LATE); 2 more and the match is forfeited"),
                come(message().setAccepted(accepted)));
    }

    @Test
    void aForfeitNamesItsMatchNotItsHandle() {
        begin();
        Forfeited notice = Forfeited.newBuilder()
                .setMatchHandle(7)
                .setSentence("too late")
                .setFault(Fault.FAULT_TOO_LATE)
                .build();
        assertEquals(
                List.of("WARNING match m is forfeited: too late (FAULT_TOO_LATE)"),
                come(message().setForfeited(notice)));
        assertEquals(
                List.of("WARNING a match that is over is forfeited: too late (FAULT_TOO_LATE)"),
                come(message().setForfeited(notice.toBuilder().setMatchHandle(8))));
    }

    @Test
    void aMatchEndsWithAPlacingOrIsVoid() {
        begin();
        MatchEnd.Builder end = MatchEnd.newBuilder()
                .setMatchHandle(7)
                .addForfeits(Forfeit.newBuilder().setSeat(1).setFault(Fault.FAULT_TOO_LATE));
        Outcome outcome = Outcome.newBuilder()
                .addPlacings(1)
                .addPlacings(2)
                .addPlacings(3)
                .build();
        assertEquals(
                List.of("INFO match m ended: placing 3, seat 1 forfeited (FAULT_TOO_LATE)"),
                come(message().setMatchEnd(end.setOutcome(outcome))));
        come(message().setMatchStart(START));
        assertEquals(
                List.of("INFO match m ended: void, seat 1 forfeited (FAULT_TOO_LATE): no reason was given"),
                come(message().setMatchEnd(end.clearOutcome())));
    }

    @Test
    void aConnectionThatEndsAfterDrainingIsNotBroken() {
        begin();
        assertEquals(
                List.of("INFO the server is going down: an update"),
                come(message().setDraining(Draining.newBuilder().setSentence("an update"))));
        assertEquals(
                "INFO the server has gone down; trying again in 0.25 s", lost(Status.Code.UNAVAILABLE, "reset", 0));
        player.connect(0);
        assertEquals(
                "INFO the connection broke (refused); trying again in 0.50 s",
                lost(Status.Code.UNAVAILABLE, "refused", 0));
        player.connect(0);
        assertEquals(
                "INFO the connection broke (the stream ended); trying again in 1.00 s", lost(Status.Code.OK, "", 0));
    }

    @Test
    void aGoodbyeForNowIsToldWithItsPause() {
        begin();
        Goodbye goodbye =
                Goodbye.newBuilder().setRetryAfterMs(5_000).setSentence("later").build();
        assertEquals(List.of(), come(message().setGoodbye(goodbye)));
        assertEquals(
                "INFO the server said goodbye for now: later; trying again in 5.00 s", lost(Status.Code.OK, "", 0));
    }

    @Test
    void theEndSaysItsReason() {
        player.connect(0);
        assertEquals(
                "ERROR the server at a:1 ended the session (UNAUTHENTICATED): no reason was given",
                lost(Status.Code.UNAUTHENTICATED, "", 0));
        assertEquals(
                "ERROR the server at a:1 does not answer (refused)", lost(Status.Code.UNAVAILABLE, "refused", 31_000));
    }

    @Test
    void allMessagesAreShownWithoutSecrets() {
        player = player(true);
        player.connect(0);
        List<String> came =
                come(message().setWelcome(Welcome.newBuilder().setSessionId("s").setResumeToken("secret")));
        assertEquals("DEBUG came: welcome { session_id: \"s\" }", came.get(0));
        lines.clear();
        player.retire();
        player.leave("told to");
        player.connect(0);
        String all = String.join("\n", lines);
        for (String kind : List.of("retire {", "goodbye {", "hello {", "resume {")) {
            assertTrue(all.contains(kind), all);
        }
        assertFalse(all.contains("secret") || all.contains("nonce"), all);
    }

    @Test
    void theSummaryCountsOutcomesAndFaults() {
        playerLog.summary();
        begin();
        assertTrue(playerLog.isFlawless());
        come(message().setDecision(Decision.newBuilder().setMatchHandle(7).setNumber(4)));
        for (String rule : List.of("trump", "follow", "trump")) {
            come(message()
                    .setRefused(
                            Refused.newBuilder().setMatchHandle(7).setNumber(4).setRule(rule)));
        }
        assertFalse(playerLog.isFlawless());
        come(message().setMatchEnd(MatchEnd.newBuilder().setMatchHandle(7)));
        lines.clear();
        playerLog.summary();
        assertEquals(
                List.of("INFO 1 match: void: 1; slowest decision: 0 ms (match m, decision 4);"
                        + " refused: 3 (follow 1, trump 2)"),
                lines);
    }
}
