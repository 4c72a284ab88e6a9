package org.ordago.bot;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ordago.bot.Facts.GameFacts;
import org.ordago.bot.Facts.ValuesFacts;
import org.ordago.v1.Card;

/** The cards of a game: its pack, their order in a hand, and their values. */
public final class GameCards {
    private static final Map<String, GameCards> GAMES =
            Facts.GAMES.stream().collect(Collectors.toUnmodifiableMap(GameFacts::game, GameCards::new));

    private final String title;
    private final List<Card> pack;
    private final List<Card> held;
    private final Map<String, Values> values = new LinkedHashMap<>();

    private GameCards(GameFacts facts) {
        title = facts.title();
        pack = cards(facts.pack());
        held = cards(facts.held());
        for (ValuesFacts told : facts.values()) {
            values.put(told.name(), new Values(told, pack));
        }
    }

    private static List<Card> cards(int[] codes) {
        return Arrays.stream(codes).mapToObj(Card::forNumber).toList();
    }

    /**
     * Returns the cards of a game.
     *
     * @param game its short name, for instance {@code mittlere}
     * @throws IllegalArgumentException this SDK does not know the game
     */
    public static GameCards of(String game) {
        return found(GAMES, game, "game");
    }

    /** Returns the name of the game, for people. */
    public String title() {
        return title;
    }

    /** Returns all its cards, ascending by code. */
    public List<Card> pack() {
        return pack;
    }

    /**
     * Returns cards in the order in which a player holds them.
     *
     * @throws IllegalArgumentException a card is not in the pack
     */
    public List<Card> sorted(Collection<Card> cards) {
        if (!held.containsAll(cards)) {
            throw new IllegalArgumentException("there are cards that are not in the pack of " + title + ": " + cards);
        }
        return cards.stream().sorted(Comparator.comparingInt(held::indexOf)).toList();
    }

    /**
     * Returns the values of the cards under a condition.
     *
     * @param name the short name of the condition, for instance {@code trump}
     * @throws IllegalArgumentException the game has no such values
     */
    public Values values(String name) {
        return found(values, name, "kind of values in " + title);
    }

    private static <T> T found(Map<String, T> known, String name, String what) {
        if (!known.containsKey(name)) {
            String names = known.keySet().stream().sorted().collect(Collectors.joining(", "));
            throw new IllegalArgumentException("there is no " + what + " \"" + name + "\", but " + names);
        }
        return known.get(name);
    }

    /** The values of the cards of a game under a condition, for instance in the trump suit. */
    public static final class Values {
        private final ValuesFacts facts;
        private final Map<Card, Integer> places;

        private Values(ValuesFacts facts, List<Card> pack) {
            this.facts = facts;
            places = IntStream.range(0, pack.size()).boxed().collect(Collectors.toMap(pack::get, place -> place));
        }

        /** Returns the condition, in words. */
        public String when() {
            return facts.when();
        }

        /** Returns which cards can be compared by their height: {@code all cards}, or {@code cards of one suit}. */
        public String compares() {
            return facts.compares();
        }

        /**
         * Returns the height of a card, from 0 for the lowest. Equal cards have equal heights.
         *
         * @throws IllegalArgumentException the card is not in the pack
         */
        public int height(Card card) {
            return facts.heights()[place(card)];
        }

        /**
         * Returns the points of a card; 0 if it has none.
         *
         * @throws IllegalArgumentException the card is not in the pack
         */
        public int points(Card card) {
            return facts.points()[place(card)];
        }

        private int place(Card card) {
            Integer place = places.get(card);
            if (place == null) {
                throw new IllegalArgumentException(card + " is not in the pack");
            }
            return place;
        }
    }
}
