package org.ordago.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ordago.v1.Answer;
import org.ordago.v1.ClockState;
import org.ordago.v1.Decision;
import org.ordago.v1.MatchStart;
import org.ordago.v1.Player;
import org.ordago.v1.Refused;

final class MatchTest {
    private static final Bot BOT = Decision::getDefaultAnswer;

    private static Match match(int seat, int... sides) {
        MatchStart.Builder start = MatchStart.newBuilder().setSeat(seat).setSeed(ByteString.copyFromUtf8("a seed"));
        for (int side : sides) {
            start.addPlayers(Player.newBuilder().setName("player " + side).setSide(side));
        }
        return new Match(start.build());
    }

    @Test
    void partnersAndOpponentsComeInTheOrderOfPlay() {
        Match match = match(2, 0, 1, 0, 1);
        assertEquals(List.of(0), match.partners());
        assertEquals(List.of(3, 1), match.opponents());
        assertEquals(0, match.seatAfter(3));
        assertEquals("player 1", match.name(3));
    }

    @Test
    void whoPlaysAloneHasNoPartner() {
        assertEquals(List.of(), match(0, 0, 1, 2).partners());
        assertEquals(List.of(1, 2), match(0, 0, 1, 2).opponents());
    }

    @Test
    void chanceIsAFunctionOfTheSeedAndTheNumber() {
        Match one = match(0, 0, 1);
        Match other = match(0, 0, 1);
        one.ask(BOT, decision(1));
        one.random().nextInt();
        one.ask(BOT, decision(2));
        other.ask(BOT, decision(2));
        long drawn = one.random().nextLong();
        assertEquals(other.random().nextLong(), drawn);
        other.ask(BOT, decision(3));
        assertNotEquals(other.random().nextLong(), drawn);
    }

    private static Decision decision(int number) {
        return Decision.newBuilder().setNumber(number).build();
    }

    @Test
    void aBotIsAskedFirstAndThenAgainWithTheTimeOfTheRefusal() {
        Match match = match(0, 0, 1);
        List<Long> drawn = new ArrayList<>();
        List<Duration> left = new ArrayList<>();
        List<Duration> before = new ArrayList<>();
        Bot bot = new Bot() {
            @Override
            public Answer choose(Decision decision) {
                drawn.add(match.random().nextLong());
                before.add(match.timeLeft().orElseThrow());
                return decision.getDefaultAnswer();
            }

            @Override
            public Answer refused(Decision decision, Refused refusal) {
                left.add(match.timeLeft().orElseThrow());
                return decision.getDefaultAnswer();
            }
        };
        Decision decision = decision(1).toBuilder()
                .setClock(ClockState.getDefaultInstance())
                .build();
        match.ask(bot, decision);
        match.ask(bot, decision, Refused.newBuilder().setTimeLeftMs(60_000).build());
        assertEquals(drawn.get(0), drawn.get(1));
        assertEquals(List.of(Duration.ZERO, Duration.ZERO), before, "the clock of the decision runs first");
        assertEquals(1, left.size());
        assertTrue(left.get(0).compareTo(Duration.ofSeconds(1)) > 0);
    }

    @Test
    void anAnswerHasToNameAnAction() {
        Match match = match(0, 0, 1);
        Decision decision = Decision.newBuilder()
                .setDefaultAnswer(Answer.newBuilder().setLegalAction(1))
                .build();
        assertThrows(IllegalStateException.class, () -> match.ask(asked -> null, decision));
        assertThrows(IllegalStateException.class, () -> match.ask(asked -> Answer.getDefaultInstance(), decision));
        assertEquals(decision.getDefaultAnswer(), match.ask(BOT, decision));
    }
}
