package bot;

import org.ordago.bot.Answers;
import org.ordago.bot.Bot;
import org.ordago.bot.BotProgram;
import org.ordago.bot.Match;
import org.ordago.v1.Answer;
import org.ordago.v1.Decision;

/** A bot in one seat of one match. Each match has its own object. */
public final class MyBot implements Bot {
    private final Match match;

    /** Begins a match; {@code match} has its game, options, seat, names and clock. */
    public MyBot(Match match) {
        this.match = match;
    }

    /** Plays until the server says goodbye. A bot for one game says so: {@code .games("mus")} before the end. */
    public static void main(String[] arguments) {
        System.exit(BotProgram.of("@NAME@", "0.1.0", MyBot::new).run(arguments));
    }

    /**
     * Begin here. {@code decision.getView()} is all that your seat sees, {@code decision.getActionsList()} all that is
     * legal. Take random numbers from {@code match.random()}, so that your bot plays a match again as it did before.
     */
    @Override
    public Answer choose(Decision decision) {
        return Answers.any(decision, match.random());
    }
}
