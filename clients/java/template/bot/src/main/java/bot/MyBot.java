package bot;

import org.ordago.bot.Answers;
import org.ordago.bot.Bot;
import org.ordago.bot.Match;
import org.ordago.v1.Answer;
import org.ordago.v1.Decision;

/** Plays one seat of one match: a new object is made for each. */
public final class MyBot implements Bot {
    private final Match match;

    /** Begins a match. What is known of it is in {@code match}: game, options, seat, names, clock. */
    public MyBot(Match match) {
        this.match = match;
    }

    /** Plays until the server says goodbye. A bot for one game names it as the last argument, for instance "mus". */
    public static void main(String[] arguments) {
        Bot.run(MyBot::new, "@NAME@", "0.1.0", arguments);
    }

    /**
     * Begin here. {@code decision.getView()} is all that your seat sees, {@code decision.getActionsList()} all that is
     * legal. Chance comes from {@code match.random()}: so your bot plays a match again as it did before.
     */
    @Override
    public Answer choose(Decision decision) {
        return Answers.any(decision.getActionsList(), match.random());
    }
}
