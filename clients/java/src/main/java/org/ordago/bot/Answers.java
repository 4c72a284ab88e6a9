package org.ordago.bot;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import org.ordago.v1.Action;
import org.ordago.v1.AmountRange;
import org.ordago.v1.Answer;
import org.ordago.v1.Card;
import org.ordago.v1.Decision;
import org.ordago.v1.LegalAction;
import org.ordago.v1.MitainesAction;
import org.ordago.v1.MitigatiAction;
import org.ordago.v1.MittlereAction;
import org.ordago.v1.MusAction;
import org.ordago.v1.Pick;
import org.ordago.v1.TaiheAction;

/** Makers of answers. */
public final class Answers {
    private Answers() {}

    /** Returns the answer with a legal action without open parts. */
    public static Answer of(LegalAction action) {
        return Answer.newBuilder().setLegalAction(action.getId()).build();
    }

    /** Returns the answer with a complete action of a game. */
    public static Answer of(Action action) {
        return Answer.newBuilder().setAction(action).build();
    }

    /** Returns the answer with an action of Mus. */
    public static Answer of(MusAction action) {
        return of(Action.newBuilder().setMus(action).build());
    }

    /** Returns the answer with an action of Mitaines. */
    public static Answer of(MitainesAction action) {
        return of(Action.newBuilder().setMitaines(action).build());
    }

    /** Returns the answer with an action of Mitigati. */
    public static Answer of(MitigatiAction action) {
        return of(Action.newBuilder().setMitigati(action).build());
    }

    /** Returns the answer with an action of Mittlere Jass. */
    public static Answer of(MittlereAction action) {
        return of(Action.newBuilder().setMittlere(action).build());
    }

    /** Returns the answer with an action of Taihe A Bao. */
    public static Answer of(TaiheAction action) {
        return of(Action.newBuilder().setTaihe(action).build());
    }

    /**
     * Returns the answer with a random legal action of a decision, its open parts filled at random.
     *
     * @throws IllegalArgumentException the decision has no legal actions
     */
    public static Answer any(Decision decision, RandomGenerator random) {
        List<LegalAction> actions = decision.getActionsList();
        if (actions.isEmpty()) {
            throw new IllegalArgumentException("the decision has no legal actions");
        }
        return complete(actions.get(random.nextInt(actions.size())), random);
    }

    /** Returns the answer with a legal action, its open parts filled at random. */
    public static Answer complete(LegalAction action, RandomGenerator random) {
        Answer.Builder answer = Answer.newBuilder().setLegalAction(action.getId());
        if (action.hasAmount()) {
            answer.setAmount(anyAmount(action.getAmount(), random));
        }
        for (Pick pick : action.getPicksList()) {
            answer.addAllCardsValue(anyCards(pick, random));
        }
        return answer.build();
    }

    private static int anyAmount(AmountRange amounts, RandomGenerator random) {
        // A range may have more numbers than an int can count.
        return (int) random.nextLong(amounts.getMin(), amounts.getMax() + 1L);
    }

    /** Returns codes of cards: a newer server may have cards that {@link Card} does not know. */
    private static List<Integer> anyCards(Pick pick, RandomGenerator random) {
        List<Integer> cards = new ArrayList<>(pick.getCardsValueList());
        int wanted = random.nextInt(pick.getMin(), pick.getMax() + 1);
        for (int place = 0; place < wanted; place++) {
            Collections.swap(cards, place, random.nextInt(place, cards.size()));
        }
        return cards.subList(0, wanted);
    }
}
