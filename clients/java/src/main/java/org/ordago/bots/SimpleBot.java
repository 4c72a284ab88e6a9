package org.ordago.bots;

import static java.util.Comparator.comparing;

import java.util.Comparator;
import java.util.List;
import org.ordago.bot.Answers;
import org.ordago.bot.Bot;
import org.ordago.bot.BotProgram;
import org.ordago.bot.Cards;
import org.ordago.bot.GameCards;
import org.ordago.v1.Answer;
import org.ordago.v1.Card;
import org.ordago.v1.Decision;
import org.ordago.v1.MittlereAction;
import org.ordago.v1.MittlereView;

/** Bot for Mittlere Jass with one rule: shed points, and take a trick only if forced to, with the cheapest card. */
public final class SimpleBot implements Bot {
    private static final GameCards.Values PLAIN = GameCards.of("mittlere").values("plain");
    private static final GameCards.Values TRUMP = GameCards.of("mittlere").values("trump");

    /** Plays. */
    public static void main(String[] arguments) {
        BotProgram program = BotProgram.of("simple-java", "0.1.0", match -> new SimpleBot());
        System.exit(program.games("mittlere").run(arguments));
    }

    @Override
    public Answer choose(Decision decision) {
        List<Card> legal = decision.getActionsList().stream()
                .map(action -> action.getAction().getMittlere().getCard())
                .toList();
        Card card = new Table(decision.getView().getMittlere()).choose(legal);
        return Answers.of(MittlereAction.newBuilder().setCard(card).build());
    }

    /** The table, and comparisons of cards on it. */
    private record Table(MittlereView view) {
        private Card choose(List<Card> legal) {
            Comparator<Card> cheap =
                    comparing(this::isTrump).thenComparing(this::height).thenComparing(Card::getNumber);
            Comparator<Card> rich =
                    comparing(this::points).thenComparing(this::height).thenComparing(Card::getNumber);
            List<Card> losing = legal.stream().filter(card -> !takes(card)).toList();
            return losing.stream()
                    .max(rich)
                    .orElseGet(() -> legal.stream().min(cheap).orElseThrow());
        }

        /** Returns true if a card would take the trick as it stands. The leading card always would. */
        private boolean takes(Card card) {
            boolean setsTrump = !view.hasTrump() && view.getTrickCount() > 0 && Cards.suit(card) != Cards.suit(led());
            return view.getTrickCount() == 0 || setsTrump || beats(card, best());
        }

        private Card led() {
            return view.getTrick(0);
        }

        private Card best() {
            return view.getTrickList().stream()
                    .reduce((best, card) -> beats(card, best) ? card : best)
                    .orElseThrow();
        }

        /** Returns true if a card beats one that was played before it. */
        private boolean beats(Card card, Card before) {
            return Cards.suit(card) == Cards.suit(before) ? height(card) > height(before) : isTrump(card);
        }

        private boolean isTrump(Card card) {
            return view.hasTrump() && Cards.suit(card) == view.getTrump().getSuit();
        }

        private int height(Card card) {
            return values(card).height(card);
        }

        private int points(Card card) {
            return values(card).points(card);
        }

        private GameCards.Values values(Card card) {
            return isTrump(card) ? TRUMP : PLAIN;
        }
    }
}
