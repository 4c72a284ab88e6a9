package org.ordago.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.ordago.v1.AmountRange;
import org.ordago.v1.Answer;
import org.ordago.v1.Card;
import org.ordago.v1.LegalAction;
import org.ordago.v1.MittlereAction;
import org.ordago.v1.Pick;

final class AnswersTest {
    private static final int UNKNOWN_CARD = 201;
    private final Random random = new Random(1);

    @Test
    void anAmountReachesBothEndsAndNothingBeyond() {
        LegalAction action = LegalAction.newBuilder()
                .setId(7)
                .setAmount(AmountRange.newBuilder().setMin(-1).setMax(1))
                .build();
        Set<Integer> amounts = new HashSet<>();
        for (int time = 0; time < 100; time++) {
            Answer answer = Answers.complete(action, random);
            assertEquals(7, answer.getLegalAction());
            amounts.add(answer.getAmount());
        }
        assertEquals(Set.of(-1, 0, 1), amounts);
    }

    @Test
    void anAmountMayRangeOverAllNumbers() {
        AmountRange all = AmountRange.newBuilder()
                .setMin(Integer.MIN_VALUE)
                .setMax(Integer.MAX_VALUE)
                .build();
        LegalAction action = LegalAction.newBuilder().setAmount(all).build();
        Set<Boolean> signs = new HashSet<>();
        for (int time = 0; time < 100; time++) {
            signs.add(Answers.complete(action, random).getAmount() < 0);
        }
        assertEquals(Set.of(true, false), signs);
    }

    @Test
    void whatIsNotOpenStaysAbsent() {
        Answer answer = Answers.complete(LegalAction.newBuilder().setId(1).build(), random);
        assertFalse(answer.hasAmount());
        assertEquals(Answers.of(LegalAction.newBuilder().setId(1).build()), answer);
    }

    @Test
    void eachGroupGivesAsManyDifferentCardsAsItMayEvenUnknownOnes() {
        Pick pair = pick(2, 2, Card.CARD_ACE_OF_CLUBS_VALUE, Card.CARD_TWO_OF_CLUBS_VALUE, UNKNOWN_CARD);
        Pick perhaps = pick(0, 1, Card.CARD_ACE_OF_SPADES_VALUE);
        LegalAction action =
                LegalAction.newBuilder().addPicks(pair).addPicks(perhaps).build();
        Set<Integer> sizes = new HashSet<>();
        Set<Integer> seen = new HashSet<>();
        for (int time = 0; time < 100; time++) {
            List<Integer> cards = Answers.complete(action, random).getCardsValueList();
            assertEquals(cards.size(), Set.copyOf(cards).size());
            assertTrue(pair.getCardsValueList().containsAll(cards.subList(0, 2)));
            sizes.add(cards.size());
            seen.addAll(cards);
        }
        assertEquals(Set.of(2, 3), sizes);
        assertEquals(4, seen.size());
    }

    private static Pick pick(int min, int max, Integer... cards) {
        return Pick.newBuilder()
                .setMin(min)
                .setMax(max)
                .addAllCardsValue(List.of(cards))
                .build();
    }

    @Test
    void anActionOfAGameIsAnAnswer() {
        MittlereAction action =
                MittlereAction.newBuilder().setCard(Card.CARD_SIX_OF_HEARTS).build();
        assertEquals(action, Answers.of(action).getAction().getMittlere());
    }
}
