package org.ordago.bot.testing;

import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ordago.v1.Action;
import org.ordago.v1.Answer;
import org.ordago.v1.Decision;
import org.ordago.v1.Extra;
import org.ordago.v1.LegalAction;
import org.ordago.v1.Pick;

/** The verdict of the referee on an answer, without a server. */
public final class Legality {
    private Legality() {}

    /** Returns true if an answer to a decision is legal. */
    public static boolean isLegal(Decision decision, Answer answer) {
        if (answer.getConcede() && !decision.getMayConcede()) {
            return false;
        }
        return switch (answer.getActionChoiceCase()) {
            case LEGAL_ACTION -> isLegalByNumber(decision, answer);
            case ACTION -> isLegalAction(decision, answer);
            case ACTIONCHOICE_NOT_SET -> false;
        };
    }

    private static boolean isLegalByNumber(Decision decision, Answer answer) {
        boolean hasExtra = answer.getExtra() == 0
                || decision.getExtrasList().stream().anyMatch(extra -> extra.getId() == answer.getExtra());
        Optional<Integer> amount = answer.hasAmount() ? Optional.of(answer.getAmount()) : Optional.empty();
        return hasExtra
                && decision.getActionsList().stream()
                        .filter(action -> action.getId() == answer.getLegalAction())
                        .anyMatch(action -> fit(action, amount, answer.getCardsValueList()));
    }

    /** Returns true if an amount and cards fill in the open parts of an action, and nothing else. */
    private static boolean fit(LegalAction action, Optional<Integer> amount, List<Integer> cards) {
        boolean fits = action.hasAmount() == amount.isPresent() && cards.size() == new HashSet<>(cards).size();
        if (action.hasAmount() && amount.isPresent()) {
            fits &= action.getAmount().getMin() <= amount.get()
                    && amount.get() <= action.getAmount().getMax();
        }
        int picked = 0;
        for (Pick pick : action.getPicksList()) {
            int count = (int)
                    cards.stream().filter(pick.getCardsValueList()::contains).count();
            fits &= pick.getMin() <= count && count <= pick.getMax();
            picked += count;
        }
        return fits && picked == cards.size();
    }

    private static boolean isLegalAction(Decision decision, Answer answer) {
        boolean isAlone = !answer.hasAmount() && answer.getCardsCount() == 0 && answer.getExtra() == 0;
        Optional<Message> action = ofGame(answer.getAction());
        return isAlone
                && action.isPresent()
                && decision.getActionsList().stream().anyMatch(legal -> isTaken(decision, legal, action.get()));
    }

    /** Returns true if an action of a game is a legal one with its open parts and perhaps an extra filled in. */
    private static boolean isTaken(Decision decision, LegalAction legal, Message action) {
        Message.Builder rest = action.toBuilder();
        Optional<Integer> amount = legal.hasAmount() ? takeAmount(rest) : Optional.empty();
        List<Integer> cards = legal.getPicksCount() > 0 ? takeCards(rest) : List.of();
        decision.getExtrasList().stream()
                .map(Extra::getAction)
                .forEach(extra -> ofGame(extra).ifPresent(signal -> takeExtra(rest, signal)));
        boolean isSame = ofGame(legal.getAction()).filter(rest.build()::equals).isPresent();
        return isSame && fit(legal, amount, cards);
    }

    /** Returns the action inside of that of its game; empty if none is set. */
    private static Optional<Message> ofGame(Action action) {
        return action.getAllFields().values().stream().map(Message.class::cast).findFirst();
    }

    private static FieldDescriptor field(Message.Builder action, String name) {
        return action.getDescriptorForType().findFieldByName(name);
    }

    private static Optional<Integer> takeAmount(Message.Builder action) {
        FieldDescriptor amount = field(action, "amount");
        if (amount == null || amount.hasPresence() && !action.hasField(amount)) {
            return Optional.empty();
        }
        int taken = (Integer) action.getField(amount);
        action.clearField(amount);
        return Optional.of(taken);
    }

    private static List<Integer> takeCards(Message.Builder action) {
        List<Integer> taken = new ArrayList<>();
        FieldDescriptor card = field(action, "card");
        if (card != null && ((EnumValueDescriptor) action.getField(card)).getNumber() != 0) {
            taken.add(((EnumValueDescriptor) action.getField(card)).getNumber());
            action.clearField(card);
        }
        FieldDescriptor cards = field(action, "cards");
        if (cards != null) {
            ((List<?>) action.getField(cards)).forEach(one -> taken.add(((EnumValueDescriptor) one).getNumber()));
            action.clearField(cards);
        }
        return taken;
    }

    /** Clears the field of an extra, which fills in nothing else. */
    private static void takeExtra(Message.Builder action, Message extra) {
        for (Map.Entry<FieldDescriptor, Object> part : extra.getAllFields().entrySet()) {
            boolean isOfGame = extra.getDescriptorForType().equals(action.getDescriptorForType());
            if (isOfGame && action.getField(part.getKey()).equals(part.getValue())) {
                action.clearField(part.getKey());
            }
        }
    }
}
