package org.ordago.bot;

import java.util.function.Consumer;
import org.ordago.v1.Answer;
import org.ordago.v1.Decision;
import org.ordago.v1.Forfeited;
import org.ordago.v1.LegalAction;
import org.ordago.v1.MatchEnd;
import org.ordago.v1.Pick;
import org.ordago.v1.Refused;

/** The bots of the transcripts: README.md there tells what each does. */
final class ScriptedBot implements Bot {
    private static final String FAILURE = "it fails";

    private final Match match;
    private final String kind;
    private final Consumer<String> hears;

    ScriptedBot(Match match, String kind, Consumer<String> hears) {
        this.match = match;
        this.kind = kind;
        this.hears = hears;
        if (kind.equals("failing-at-start")) {
            throw new IllegalStateException(FAILURE);
        }
        hear("begin", match.start().getMatchHandle());
    }

    private void hear(String word, int... numbers) {
        StringBuilder words = new StringBuilder(word);
        for (int number : numbers) {
            words.append(' ').append(number);
        }
        hears.accept(words.toString());
    }

    @Override
    public Answer choose(Decision decision) {
        hear("choose", decision.getMatchHandle(), decision.getNumber());
        if (kind.equals("retiring")) {
            match.retire();
        }
        failIfFailing();
        if (kind.equals("empty")) {
            return Answer.getDefaultInstance();
        }
        return kind.equals("default") ? decision.getDefaultAnswer() : least(decision.getActions(0));
    }

    @Override
    public Answer refused(Decision decision, Refused refusal) {
        if (!kind.equals("insisting")) {
            return Bot.super.refused(decision, refusal); // It is as if it had no such method, and hears nothing.
        }
        hear("refused", refusal.getMatchHandle(), refusal.getNumber());
        return least(decision.getActions(decision.getActionsCount() - 1));
    }

    @Override
    public void forfeited(Forfeited notice) {
        hear("forfeited", notice.getMatchHandle());
    }

    @Override
    public void ended(MatchEnd end) {
        hear("ended", end.getMatchHandle());
        failIfFailing();
    }

    private void failIfFailing() {
        if (kind.equals("failing")) {
            throw new IllegalStateException(FAILURE);
        }
    }

    /** Returns an action whose amount is its least, with the first cards of each pick, as few as are allowed. */
    private static Answer least(LegalAction action) {
        Answer.Builder answer = Answer.newBuilder().setLegalAction(action.getId());
        if (action.hasAmount()) {
            answer.setAmount(action.getAmount().getMin());
        }
        for (Pick pick : action.getPicksList()) {
            answer.addAllCardsValue(pick.getCardsValueList().subList(0, pick.getMin()));
        }
        return answer.build();
    }
}
