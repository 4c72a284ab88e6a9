package org.ordago.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.google.protobuf.ByteString;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ordago.v1.Decision;
import org.ordago.v1.MatchStart;
import org.ordago.v1.Player;

final class MatchTest {
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
        one.begin(decision(1));
        one.random().nextInt();
        one.begin(decision(2));
        other.begin(decision(2));
        long drawn = one.random().nextLong();
        assertEquals(other.random().nextLong(), drawn);
        other.begin(decision(3));
        assertNotEquals(other.random().nextLong(), drawn);
    }

    private static Decision decision(int number) {
        return Decision.newBuilder().setNumber(number).build();
    }
}
