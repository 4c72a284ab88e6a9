package org.ordago.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.ordago.v1.Hello;

/** What the transcripts cannot show. */
final class PlayerTest {
    private static List<String> capabilities(boolean verbose) {
        Log log = new Log(event -> {}, verbose);
        Player player = Players.of(Hello.getDefaultInstance(), () -> 0, log, Receipts.NONE);
        return player.connect(0).getMessages(0).getHello().getCapabilitiesList();
    }

    @Test
    void whoIsToldEverythingIsToldOfEachAnswerThatIsTaken() {
        assertEquals(List.of("tacit_acceptance"), capabilities(false));
        assertEquals(List.of(), capabilities(true));
    }
}
