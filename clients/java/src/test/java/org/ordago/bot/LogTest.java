package org.ordago.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LogTest {
    private final List<String> lines = new ArrayList<>();

    @Test
    void whatAServerSaysIsOneLineThatNoTerminalObeys() {
        new Log(lines::add, false).info("\u001b[2Jgone\nERROR all is lost \u009b\u202e\udb40\udc01♥");
        assertEquals(1, lines.size());
        assertTrue(
                lines.get(0).endsWith(" INFO \\x1b[2Jgone\\nERROR all is lost \\x9b\\u202e\\U000e0001♥"), lines.get(0));
    }

    @Test
    void aLineBeginsWithItsTimeInUtcAndItsLevel() {
        for (int time = 0; time < 100; time++) {
            new Log(lines::add, false).warn("a");
        }
        String line = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z WARNING a";
        assertTrue(lines.stream().allMatch(each -> each.matches(line)), lines::toString);
    }

    @Test
    void onlyWhoAsksForItIsToldEverything() {
        new Log(lines::add, false).debug("a");
        new Log(lines::add, true).debug("b");
        assertEquals(1, lines.size());
    }
}
