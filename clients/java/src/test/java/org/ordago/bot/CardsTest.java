package org.ordago.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.ordago.v1.Card;
import org.ordago.v1.Suit;

final class CardsTest {
    private static final GameCards MITTLERE = GameCards.of("mittlere");

    @Test
    void aCardHasASuitARankASignAndAName() {
        Card card = Card.CARD_TEN_OF_HEARTS;
        assertEquals(Suit.SUIT_HEARTS, Cards.suit(card));
        assertEquals(10, Cards.rank(card));
        assertEquals("10♥", Cards.sign(card));
        assertEquals("ten of hearts", Cards.name(card));
        assertEquals(Cards.name(card), Cards.name(Card.CARD_TEN_OF_HEARTS_VALUE));
        assertEquals(Suit.SUIT_UNSPECIFIED, Cards.suit(Card.CARD_FOOL));
    }

    @Test
    void everyCardOfTheContractIsKnown() {
        for (Card card : Card.values()) {
            boolean isCard = card != Card.UNRECOGNIZED && card != Card.CARD_UNSPECIFIED;
            assertEquals(isCard, !Cards.sign(card).equals("?"), card::name);
        }
    }

    @Test
    void aCardOfANewerServerIsNoOther() {
        assertEquals(Suit.SUIT_UNSPECIFIED, Cards.suit(Card.UNRECOGNIZED));
        assertEquals(0, Cards.rank(Card.UNRECOGNIZED));
        assertEquals("?", Cards.sign(120));
        assertEquals("card 120", Cards.name(120));
    }

    @Test
    void aHandIsSortedAsAPlayerHoldsIt() {
        List<Card> held = MITTLERE.sorted(MITTLERE.pack());
        assertEquals(36, held.size());
        assertEquals(held, MITTLERE.sorted(held));
        assertEquals(held.subList(3, 7), MITTLERE.sorted(held.subList(3, 7)));
    }

    @Test
    void valuesDependOnTheCondition() {
        Card nine = Card.CARD_NINE_OF_SPADES;
        assertEquals(14, MITTLERE.values("trump").points(nine));
        assertEquals(0, MITTLERE.values("plain").points(nine));
        assertTrue(
                MITTLERE.values("trump").height(nine) > MITTLERE.values("trump").height(Card.CARD_ACE_OF_SPADES));
    }

    @Test
    void whatIsUnknownIsAMistakeOfTheProgram() {
        assertThrows(IllegalArgumentException.class, () -> GameCards.of("whist"));
        assertThrows(IllegalArgumentException.class, () -> MITTLERE.values("hearts"));
        assertThrows(IllegalArgumentException.class, () -> MITTLERE.sorted(List.of(Card.CARD_TWO_OF_CLUBS)));
        assertThrows(
                IllegalArgumentException.class, () -> MITTLERE.values("plain").points(Card.CARD_TWO_OF_CLUBS));
        assertThrows(
                IllegalArgumentException.class, () -> MITTLERE.values("plain").height(Card.UNRECOGNIZED));
    }
}
