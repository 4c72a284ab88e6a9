package org.ordago.bot;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class Utf8Test {
    private static final List<byte[]> COMMAND = Stream.of("java", "Bot", "--name", "añá")
            .map(word -> word.getBytes(UTF_8))
            .toList();
    private static final String LOST = new String("añá".getBytes(UTF_8), US_ASCII);

    @Test
    void argumentsThatTheLocaleCannotReadAreRestored() {
        assertEquals(List.of("--name", "añá"), Utf8.restored(List.of("--name", LOST), COMMAND, US_ASCII));
        assertEquals(List.of("añá"), Utf8.restored(List.of(LOST), COMMAND, US_ASCII));
    }

    @Test
    void argumentsThatTheProgramChangedStayAsTheyAre() {
        assertEquals(List.of("--name", "\ufffd"), Utf8.restored(List.of("--name", "\ufffd"), COMMAND, US_ASCII));
        List<String> more = List.of("--a", "--b", "--c", "--name", LOST);
        assertEquals(List.of("--a", "--b", "--c", "--name", "añá"), Utf8.restored(more, COMMAND, US_ASCII));
    }
}
