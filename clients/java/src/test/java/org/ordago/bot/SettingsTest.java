package org.ordago.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SettingsTest {
    @TempDir
    private Path folder;

    private static Settings settings(Map<String, String> environment, String... arguments) throws UsageException {
        CommandLine line = CommandLine.parse(List.of(arguments), environment);
        return Settings.of(line, "bot", "1", List.of("mus", "mittlere"));
    }

    private static String complaint(String... arguments) {
        return assertThrows(UsageException.class, () -> settings(Map.of(), arguments))
                .getMessage();
    }

    @Test
    void whoSaysNothingPlaysAllThatTheBotPlaysHere() throws UsageException {
        Settings settings = settings(Map.of());
        assertEquals("127.0.0.1:7447", settings.server().address());
        assertEquals("bot", settings.hello().getBot().getName());
        assertEquals(List.of("mus", "mittlere"), settings.hello().getGamesList());
        assertEquals(16, settings.hello().getNonce().size());
        assertFalse(
                settings.hello().getNonce().equals(settings(Map.of()).hello().getNonce()));
    }

    @Test
    void anOptionCountsForMoreThanItsVariable() throws UsageException {
        Map<String, String> environment = Map.of("ORDAGO_ADDRESS", "a:1", "ORDAGO_EVENT", "cup", "ORDAGO_TOKEN", "t");
        Server server =
                settings(environment, "--address=b:2", "--event", "friday").server();
        assertEquals(new Server("b:2", "t", "friday", null), server);
        assertEquals(new Server("a:1", "t", "cup", null), settings(environment).server());
    }

    @Test
    void aTokenInAFileCountsForMoreThanAVariable() throws Exception {
        Path file = Files.writeString(folder.resolve("token"), "secret\r\n");
        Map<String, String> environment = Map.of("ORDAGO_TOKEN", "other", "ORDAGO_TOKEN_FILE", file.toString());
        assertEquals("secret", settings(environment).server().token());
        assertEquals("given", settings(environment, "--token", "given").server().token());
    }

    @Test
    void numbersReachAsFarAsTheContract() throws UsageException {
        assertEquals(-1, settings(Map.of(), "--matches", "4294967295").hello().getMaxMatches());
    }

    @Test
    void shortOptionsAreOptions() throws UsageException {
        assertTrue(settings(Map.of(), "-v").verbose());
        assertTrue(CommandLine.parse(List.of("-h"), Map.of()).wantsHelp());
    }

    @ParameterizedTest
    @CsvSource({
        "--matches, -1, --matches: \"-1\" is no whole number from 0 to 4294967295",
        "--decisions, 4294967296, --decisions: \"4294967296\" is no whole number from 0 to 4294967295",
        "--nonce, xy, '--nonce: a nonce is written in hexadecimal, not: xy'",
        "--event, A cup, '--event: \"A cup\" is no event: its name has small letters, digits and hyphens'",
        "--game, whist, '--game: this bot does not play whist, but mus, mittlere'",
        "--nonsense, 1, there is no option --nonsense; --help shows all",
        "--tls, --name, --name takes a NAME",
        "-v, --tls=1, --tls takes nothing",
    })
    void whatCannotBeIsToldInASentence(String option, String value, String sentence) {
        assertEquals(sentence, complaint(option, value));
    }

    @Test
    void receiptsThatCannotBeKeptAreToldBeforeAnythingIsPlayed() {
        String path = folder.resolve("none").resolve("receipts").toString();
        assertEquals(
                "--receipts: cannot write to " + path + ": no such file or directory", complaint("--receipts", path));
    }
}
