package org.ordago.bot.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Play by a script in the place of {@code ordago}. */
final class LocalPlayTest {
    @TempDir
    private Path folder;

    private String program(String script) throws IOException {
        Path program = Files.writeString(folder.resolve("ordago"), "#!/bin/sh\n" + script + "\n");
        assertTrue(program.toFile().setExecutable(true));
        return program.toString();
    }

    @Test
    void eachLineIsAMatch() throws Exception {
        String program = program("""
                test "$*" = "play mus --bot cmd:a b --bot house:random --matches 2 --json" || exit 1
                echo '{"match_id": "m", "number": 1, "game": "mus", "seats": [{"bot": 1, "name": "random", "score": -3,\
                 "placing": 2, "strikes": {"trump": 2}}, {"bot": 0, "name": "a", "score": 3, "placing": 1,\
                 "strikes": {}}], "faults": 1, "forfeits": [{"seat": 0, "fault": "FAULT_TOO_LATE"}]}'
                echo '{"match_id": "n", "number": 2, "game": "mus", "seats": [], "faults": 0, "forfeits": []}'""");
        List<PlayedMatch> played = LocalPlay.play(program, "mus", 2, List.of("cmd:a b", "house:random"));
        PlayedMatch first = played.get(0);
        assertEquals(new PlayedMatch.Seat(0, "a", 3, 1, Map.of()), first.seatOf(0));
        assertEquals(Map.of("trump", 2), first.seatOf(1).strikes());
        assertEquals(List.of(new PlayedMatch.Forfeit(0, "FAULT_TOO_LATE")), first.forfeits());
        assertEquals("n", played.get(1).matchId());
    }

    @Test
    void whatFailsSaysWhatItSaid() throws IOException {
        String program = program("echo 'no such game' >&2; exit 2");
        IOException failure = assertThrows(IOException.class, () -> LocalPlay.play(program, "chess", 1, List.of()));
        assertTrue(failure.getMessage().endsWith("failed: no such game"), failure::getMessage);
    }

    @Test
    void aProgramThatIsNotThereIsNamed() {
        String program = folder.resolve("none").toString();
        IOException failure = assertThrows(IOException.class, () -> LocalPlay.play(program, "mus", 1, List.of()));
        assertTrue(failure.getMessage().startsWith("there is no program " + program), failure::getMessage);
    }
}
