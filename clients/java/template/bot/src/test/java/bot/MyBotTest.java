package bot;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ordago.bot.testing.LoggedDecision;
import org.ordago.v1.Answer;

/** Asks the bot a decision of each game. Add lines that it wrote with {@code --log-decisions}. */
final class MyBotTest {
    static List<LoggedDecision> decisions() throws IOException {
        return LoggedDecision.load(Path.of("..", "decisions.jsonl"));
    }

    @ParameterizedTest
    @MethodSource("decisions")
    void itsAnswerToEachDecisionIsLegal(LoggedDecision decision) {
        Answer answer = decision.ask(MyBot::new);
        assertTrue(decision.isLegal(answer), answer::toString);
    }
}
