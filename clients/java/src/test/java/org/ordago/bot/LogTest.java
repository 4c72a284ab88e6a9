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
        new Log(lines::add, false).info("\u001b[2Jgone\nERROR all is lost \u202e♥");
        assertEquals(1, lines.size());
        assertTrue(lines.get(0).endsWith(" INFO \\u001b[2Jgone\\u000aERROR all is lost \\u202e♥"), lines.get(0));
    }

    @Test
    void onlyWhoAsksForItIsToldEverything() {
        new Log(lines::add, false).debug("a");
        new Log(lines::add, true).debug("b");
        assertEquals(1, lines.size());
    }
}
