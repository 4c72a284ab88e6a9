package org.ordago.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ordago.v1.Hello;

/** Facts that the transcripts cannot show. */
final class PlayerTest {
    private static List<String> capabilities(boolean verbose) {
        Log log = new Log(event -> {}, verbose);
        Player player = Players.of(Hello.getDefaultInstance(), () -> 0, log, Receipts.NONE);
        return player.connect(0).getMessages(0).getHello().getCapabilitiesList();
    }

    @Test
    void theVersionIsThatOfThePom() throws IOException {
        String pom = Files.readString(Path.of("pom.xml"));
        assertTrue(pom.contains("<artifactId>ordago-bot</artifactId>\n  <version>" + Player.VERSION + "</version>"));
    }

    @Test
    void aVerboseLogAsksForEachAcceptance() {
        assertEquals(List.of("tacit_acceptance"), capabilities(false));
        assertEquals(List.of(), capabilities(true));
    }
}
