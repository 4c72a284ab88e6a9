package bot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.ordago.bot.Match;
import org.ordago.v1.Answer;
import org.ordago.v1.Decision;
import org.ordago.v1.LegalAction;
import org.ordago.v1.MatchStart;

final class MyBotTest {
    @Test
    void theOnlyLegalActionIsTaken() {
        MyBot bot = new MyBot(new Match(MatchStart.getDefaultInstance()));
        Decision decision = Decision.newBuilder()
                .addActions(LegalAction.newBuilder().setId(1))
                .build();
        assertEquals(Answer.newBuilder().setLegalAction(1).build(), bot.choose(decision));
    }
}
