package org.ordago.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.ordago.v1.Accepted;
import org.ordago.v1.Answer;
import org.ordago.v1.BotMessage;
import org.ordago.v1.ClockState;
import org.ordago.v1.Decision;
import org.ordago.v1.Hello;
import org.ordago.v1.MatchEnd;
import org.ordago.v1.MatchStart;
import org.ordago.v1.PlayRequest;
import org.ordago.v1.PlayResponse;
import org.ordago.v1.Refused;
import org.ordago.v1.ServerMessage;
import org.ordago.v1.Welcome;

/** Bots whose calls the test runs itself, as other threads would, with a clock of the test's. */
final class CallsTest {
    private static final Answer ANSWER = Answer.newBuilder().setLegalAction(1).build();

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final List<String> heard = new ArrayList<>();
    private final List<Duration> left = new ArrayList<>();
    private long nowMs;
    private Player player = player(match -> new Noting(match));

    private Player player(Function<Match, Bot> factory) {
        return Players.of(factory, tasks::add, () -> nowMs, new Log(event -> {}, false));
    }

    /** Notes what it hears, and the time that is left. */
    private final class Noting implements Bot {
        private final Match match;

        private Noting(Match match) {
            this.match = match;
        }

        @Override
        public Answer choose(Decision decision) {
            note("choose " + decision.getNumber());
            return ANSWER;
        }

        @Override
        public Answer refused(Decision decision, Refused refusal) {
            note("refused " + decision.getNumber());
            return ANSWER;
        }

        @Override
        public void ended(MatchEnd end) {
            note("ended");
        }

        private void note(String what) {
            heard.add(match.id() + " " + what);
            match.timeLeft().ifPresent(left::add);
        }
    }

    private PlayRequest come(ServerMessage.Builder... messages) {
        PlayResponse.Builder frame = PlayResponse.newBuilder();
        List.of(messages).forEach(frame::addMessages);
        return player.receive(frame.build(), nowMs);
    }

    private static ServerMessage.Builder welcome(boolean resumed) {
        return ServerMessage.newBuilder()
                .setWelcome(Welcome.newBuilder().setSessionId("s").setResumed(resumed));
    }

    private static ServerMessage.Builder start(int handle) {
        return ServerMessage.newBuilder()
                .setMatchStart(MatchStart.newBuilder().setMatchHandle(handle).setMatchId("m" + handle));
    }

    private static ServerMessage.Builder decision(int handle, int number) {
        return ServerMessage.newBuilder()
                .setDecision(Decision.newBuilder()
                        .setMatchHandle(handle)
                        .setNumber(number)
                        .setClock(ClockState.newBuilder().setDecisionMs(1_000).setBankMs(500)));
    }

    private void begin() {
        player.connect(0);
        come(welcome(false), start(1), start(2));
        run(2);
    }

    private void run(int calls) {
        for (int call = 0; call < calls; call++) {
            tasks.remove().run();
        }
    }

    private static List<String> choices(PlayRequest frame) {
        return frame.getMessagesList().stream()
                .filter(BotMessage::hasChoice)
                .map(BotMessage::getChoice)
                .map(choice -> choice.getMatchHandle() + " " + choice.getNumber() + " after " + choice.getThoughtMs())
                .toList();
    }

    @Test
    void matchesThinkSideBySideAndAnswersAreSentWhenTheyAreFound() {
        begin();
        assertEquals(List.of(), choices(come(decision(1, 1), decision(2, 1))));
        assertEquals(2, tasks.size());
        assertTrue(player.isThinking());
        nowMs = 30;
        run(1);
        assertEquals(List.of("1 1 after 30"), choices(player.answers()));
        nowMs = 40;
        run(1);
        assertEquals(List.of("2 1 after 40"), choices(player.answers()));
        assertFalse(player.isThinking());
    }

    @Test
    void theCallsOfOneBotNeverOverlap() {
        begin();
        come(decision(1, 1), decision(1, 2));
        come(ServerMessage.newBuilder().setMatchEnd(MatchEnd.newBuilder().setMatchHandle(1)));
        for (int call = 0; call < 3; call++) {
            assertEquals(1, tasks.size());
            run(1);
        }
        assertEquals(List.of("m1 choose 1", "m1 choose 2", "m1 ended"), heard);
    }

    @Test
    void anAnswerToAClosedDecisionIsDropped() {
        begin();
        come(decision(1, 1));
        come(ServerMessage.newBuilder()
                .setAccepted(Accepted.newBuilder().setMatchHandle(1).setNumber(1)));
        run(1);
        assertEquals(List.of(), choices(player.answers()));
    }

    @Test
    void anAnswerThatIsFoundWhileTheConnectionIsBrokenIsSentAfterwards() {
        begin();
        come(decision(1, 1));
        player.connect(0);
        run(1);
        assertEquals(List.of(), choices(player.answers()));
        assertEquals(List.of("1 1 after 0"), choices(come(welcome(true), start(1), decision(1, 1))));
        assertEquals(List.of("m1 choose 1"), heard);
    }

    @Test
    void aDecisionThatComesAgainIsNotAskedAgain() {
        begin();
        come(decision(1, 1));
        player.connect(0);
        come(welcome(true), start(1), decision(1, 1));
        run(1);
        assertEquals(List.of("1 1 after 0"), choices(player.answers()));
        assertTrue(tasks.isEmpty());
    }

    @Test
    void timeIsLeftFromTheArrivalOnAndNeverBelowZero() {
        begin();
        come(decision(1, 1));
        nowMs = 200;
        run(1);
        player.answers();
        nowMs = 300;
        come(ServerMessage.newBuilder()
                .setRefused(Refused.newBuilder().setMatchHandle(1).setNumber(1).setTimeLeftMs(700)));
        nowMs = 400;
        run(1);
        come(decision(1, 2));
        nowMs = 9_000;
        run(1);
        assertEquals(List.of(Duration.ofMillis(1_300), Duration.ofMillis(600), Duration.ZERO), left);
    }

    @Test
    void withoutAClockNoTimeRunsOut() {
        Match match = new Match(MatchStart.getDefaultInstance());
        assertEquals(Optional.empty(), match.timeLeft());
        match.ask(Decision::getDefaultAnswer, Decision.getDefaultInstance());
        assertEquals(Optional.empty(), match.timeLeft());
    }

    @Test
    void aFailureInAnotherThreadEndsTheProcessIfSoTold() {
        IllegalStateException failure = new IllegalStateException("no");
        Bots bots = new Bots(
                match -> decision -> {
                    throw failure;
                },
                tasks::add,
                true);
        Log log = new Log(event -> {}, false);
        PlayerLog playerLog = new PlayerLog(log);
        Hello hello = Hello.getDefaultInstance();
        player = new Player(bots, hello, () -> nowMs, playerLog, new DecisionLog(null, log), Receipts.NONE);
        begin();
        come(decision(1, 1));
        run(1);
        Bots.Failed failed = assertThrows(Bots.Failed.class, player::answers);
        assertSame(failure, failed.getCause());
        assertTrue(failed.getMessage().endsWith(", decision 1: the bot failed: no"), failed.getMessage());
    }

    @Test
    void memoryThatRunsOutEndsTheProcessInAnyCase() {
        player = player(match -> decision -> {
            throw new OutOfMemoryError();
        });
        begin();
        come(decision(1, 1));
        run(1);
        assertThrows(Bots.Failed.class, player::answers);
    }
}
