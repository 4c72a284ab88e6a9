package org.ordago.bot;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.ordago.bot.Facts.CardFacts;
import org.ordago.v1.Card;
import org.ordago.v1.Suit;

/**
 * Names, symbols, suits and ranks of the cards of all packs.
 *
 * <p>A newer server may know more cards. {@link Card} reads them as {@code UNRECOGNIZED}, all alike; their codes are in
 * the lists of the messages whose names end in {@code ValueList}.
 */
public final class Cards {
    private static final Map<Integer, CardFacts> FACTS =
            Facts.CARDS.stream().collect(Collectors.toUnmodifiableMap(CardFacts::card, Function.identity()));

    private Cards() {}

    /** Returns the suit of a card; {@code SUIT_UNSPECIFIED} for the Fool and for unknown cards. */
    public static Suit suit(Card card) {
        return Suit.forNumber(facts(code(card)).suit());
    }

    /** Returns the rank of a card in its suit, from 1; 0 for the Fool and for unknown cards. */
    public static int rank(Card card) {
        return facts(code(card)).rank();
    }

    /** Returns the symbol of a card, for instance {@code 10♥}; a question mark for an unknown card. */
    public static String sign(Card card) {
        return sign(code(card));
    }

    /** Returns the symbol of the card with a code. */
    public static String sign(int code) {
        return facts(code).sign();
    }

    /** Returns the name of a card, for instance {@code ten of hearts}. */
    public static String name(Card card) {
        return name(code(card));
    }

    /** Returns the name of the card with a code; {@code card 120} for an unknown card. */
    public static String name(int code) {
        return facts(code).name();
    }

    /** Returns the code of a card; -1 for an unknown card, whose code Java does not keep. */
    static int code(Card card) {
        return card == Card.UNRECOGNIZED ? -1 : card.getNumber();
    }

    private static CardFacts facts(int code) {
        CardFacts known = FACTS.get(code);
        return known == null ? new CardFacts(code, code < 0 ? "unknown card" : "card " + code, "?", 0, 0) : known;
    }
}
