package org.ordago.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ordago.v1.Software;

final class LogTest {
    private final List<String> lines = new ArrayList<>();

    private Log log(boolean verbose) {
        return new Log(event -> lines.add(event.text()), verbose);
    }

    @Test
    void whatAServerSaysIsOneLineThatNoTerminalObeys() {
        log(false).note(Level.INFO, "\u001b[2Jgone\nERROR all is lost \u009b\u202e\udb40\udc01♥");
        assertEquals(1, lines.size());
        assertTrue(
                lines.get(0).endsWith(" INFO \\x1b[2Jgone\\nERROR all is lost \\x9b\\u202e\\U000e0001♥"), lines.get(0));
    }

    @Test
    void aLineBeginsWithItsTimeInUtcAndItsLevel() {
        for (int time = 0; time < 100; time++) {
            log(false).note(Level.WARNING, "a");
        }
        String line = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z WARNING a";
        assertTrue(lines.stream().allMatch(each -> each.matches(line)), lines::toString);
    }

    @Test
    void aStackTraceIsIndentedAsJavaShowsIt() {
        log(false)
                .event(Level.ERROR, "failed")
                .with("trace", "Error: \u001b\n\tat Bot.java:1")
                .write("no");
        assertTrue(lines.get(0).endsWith(" ERROR no\nError: \\x1b\n    at Bot.java:1"), lines.get(0));
    }

    @Test
    void debugLinesAreOnlyInAVerboseLog() {
        log(false).note(Level.DEBUG, "a");
        log(true).note(Level.DEBUG, "b");
        assertEquals(1, lines.size());
    }

    @Test
    void anEventIsAnObjectInJsonWithItsFieldsInOrder() {
        new Log(event -> lines.add(event.json()), false)
                .event(Level.INFO, "connected")
                .with("games", List.of("mus"))
                .with("number", null)
                .with("asked", Software.newBuilder().setName("♥\u009b").build())
                .write("connected; \"games\": ♥");
        String line = lines.get(0).replaceFirst("\"time\":\"[^\"]+Z\",", "");
        assertEquals(
                "{\"level\":\"INFO\",\"event\":\"connected\","
                        + "\"message\":\"connected; \\u0022games\\u0022: \\u2665\","
                        + "\"games\":[\"mus\"],\"asked\":{\"name\":\"\\u2665\\u009b\"}}",
                line);
    }
}
