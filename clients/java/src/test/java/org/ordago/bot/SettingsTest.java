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
import org.ordago.v1.Hello;

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
        assertEquals("127.0.0.1:7447", settings.server().address().text());
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
        assertEquals(new Server(Address.parse("b:2"), "t", "friday", null), server);
        assertEquals(
                new Server(Address.parse("a:1"), "t", "cup", null),
                settings(environment).server());
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
    void aBotThatFailsEndsItsProcessUnlessToldOtherwise() throws UsageException {
        assertTrue(settings(Map.of()).stopsOnError());
        assertFalse(settings(Map.of("ORDAGO_ON_ERROR", "default")).stopsOnError());
        assertTrue(settings(Map.of("ORDAGO_ON_ERROR", "default"), "--on-error=stop")
                .stopsOnError());
        assertFalse(settings(Map.of()).strict());
        assertTrue(settings(Map.of(), "--strict").strict());
        assertTrue(settings(Map.of("ORDAGO_LOG", "json")).logsJson());
    }

    @Test
    void shortOptionsAreOptions() throws UsageException {
        assertTrue(settings(Map.of(), "-v").verbose());
        assertTrue(CommandLine.parse(List.of("-h"), Map.of()).given(Option.HELP).isPresent());
    }

    @Test
    void theLastOptionCountsButGamesAddUp() throws UsageException {
        Hello hello = settings(Map.of(), "--game=mus", "--matches=1", "--game", "mittlere", "--matches", "2")
                .hello();
        assertEquals(2, hello.getMaxMatches());
        assertEquals(List.of("mus", "mittlere"), hello.getGamesList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "ORDAGO_ADDRESS | host | ORDAGO_ADDRESS: 'host' is not HOST:PORT, [IPv6]:PORT or unix:PATH: it has no port",
                "ORDAGO_ON_ERROR | go | ORDAGO_ON_ERROR: 'go' is neither stop nor default",
                "ORDAGO_LOG | xml | ORDAGO_LOG: 'xml' is neither json nor text",
                "ORDAGO_TLS_CA | none | ORDAGO_TLS_CA: cannot read none: no such file or directory",
                "ORDAGO_TLS | yes | ORDAGO_TLS: 'yes' is neither 1 nor 0",
                "ORDAGO_TOKEN_FILE | none | ORDAGO_TOKEN_FILE: none cannot be used: no such file or directory",
            })
    void aWrongVariableIsNamed(String variable, String value, String sentence) {
        UsageException wrong = assertThrows(UsageException.class, () -> settings(Map.of(variable, value)));
        assertEquals(sentence, wrong.getMessage());
    }

    @Test
    void anOptionHidesAWrongVariable() throws UsageException {
        Map<String, String> environment = Map.of("ORDAGO_ADDRESS", "host", "ORDAGO_NONCE", "x");
        settings(environment, "--address", "a:1", "--nonce", "ab".repeat(64));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "--address | `` | --address: '' is not HOST:PORT, [IPv6]:PORT or unix:PATH: it is empty",
                "--address | a:0 | --address: 'a:0' is not HOST:PORT, [IPv6]:PORT or unix:PATH: "
                        + "the port is not a number from 1 to 65535",
                "--token | a b | --token: the token holds a character that no token has; "
                        + "was something else copied along with it?",
                "--matches | -1 | --matches: '-1' is not a number from 0 to 4294967295",
                "--matches | +1 | --matches: '+1' is not a number from 0 to 4294967295",
                "--matches | ١ | --matches: '١' is not a number from 0 to 4294967295",
                "--matches-in-all | `` | --matches-in-all: '' is not a number from 0 to 4294967295",
                "--decisions | 4294967296 | --decisions: '4294967296' is not a number from 0 to 4294967295",
                "--nonce | xy | --nonce: 'xy' is not 16 to 64 bytes in hexadecimal",
                "--nonce | abcd | --nonce: 'abcd' is not 16 to 64 bytes in hexadecimal",
                "--event | A cup | --event: 'A cup' is not the name of an event: small letters, digits and hyphens",
                "--game | whist | --game: this bot does not play whist, but mus, mittlere",
                "--name | \ufffd | --name: '\ufffd' is not in UTF-8",
                "--on-error | go | --on-error: 'go' is neither stop nor default",
                "--log-decisions | / | --log-decisions: cannot write to /: Is a directory",
                "--nonsense | 1 | --nonsense: there is no such option",
                "--addr | a:1 | --addr: there is no such option",
                "-address | a:1 | -address: there is no such option",
                "-v | word | word: there is no such option",
                "--tls | --name | --name: its NAME is missing",
                "-v | --tls=1 | --tls: it takes no value",
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
