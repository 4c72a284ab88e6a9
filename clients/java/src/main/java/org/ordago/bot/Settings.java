package org.ordago.bot;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.ordago.v1.Hello;
import org.ordago.v1.Software;

/**
 * Settings of a bot's process, from its command line and environment.
 *
 * @param server the server to connect to
 * @param hello name, games and limits of the bot
 * @param receipts stores the receipts of an event
 * @param decisions the file for decisions; null: none
 * @param stopsOnError true to end the process if a bot fails; false to take the default answer
 * @param strict true to end with 1 if anything went wrong
 * @param verbose true to log every message
 * @param logsJson true to log JSON; false to log text
 */
record Settings(
        Server server,
        Hello hello,
        Receipts receipts,
        Appended decisions,
        boolean stopsOnError,
        boolean strict,
        boolean verbose,
        boolean logsJson) {
    private static final String DEFAULT_ADDRESS = "127.0.0.1:7447";
    private static final String LOG = "ORDAGO_LOG";
    private static final int NONCE_BYTES = 16;
    private static final int MOST_NONCE_BYTES = 64;

    /** Returns the settings of a bot with a name, a version, and the games that it plays; none: all. */
    static Settings of(CommandLine line, String name, String version, List<String> games) throws UsageException {
        Server server = new Server(address(line), token(line), event(line), tls(line));
        Hello hello = Hello.newBuilder()
                .setBot(Software.newBuilder().setName(name(line).orElse(name)).setVersion(version))
                .setNonce(nonce(line))
                .addAllGames(games(line, games))
                .setMaxMatches(count(line, Option.MATCHES))
                .setMaxOpenDecisions(count(line, Option.DECISIONS))
                .setMatchesInAll(count(line, Option.MATCHES_IN_ALL))
                .build();
        String onError = line.text(Option.ON_ERROR).orElse("stop");
        String log = line.variable(LOG).orElse("text");
        return new Settings(
                server,
                hello,
                receipts(line),
                file(line, Option.LOG_DECISIONS).orElse(null),
                isFirst(onError, "stop", "default", line.source(Option.ON_ERROR)),
                line.has(Option.STRICT),
                line.has(Option.VERBOSE),
                isFirst(log, "json", "text", LOG));
    }

    private static boolean isFirst(String value, String first, String second, String source) throws UsageException {
        if (!value.equals(first) && !value.equals(second)) {
            throw new UsageException(source + ": '" + value + "' is neither " + first + " nor " + second);
        }
        return value.equals(first);
    }

    private static Address address(CommandLine line) throws UsageException {
        String text = line.text(Option.ADDRESS).orElse(DEFAULT_ADDRESS);
        try {
            return Address.parse(text);
        } catch (IllegalArgumentException because) {
            throw new UsageException(line.source(Option.ADDRESS) + ": '" + text
                    + "' is not HOST:PORT, [IPv6]:PORT or unix:PATH: " + because.getMessage());
        }
    }

    private static Optional<String> name(CommandLine line) throws UsageException {
        Optional<String> name = line.given(Option.NAME);
        if (name.filter(Utf8::isLost).isPresent()) {
            throw new UsageException("--name: '" + name.get() + "' is not in UTF-8");
        }
        return name;
    }

    private static List<String> games(CommandLine line, List<String> games) throws UsageException {
        List<String> wanted = line.all(Option.GAME);
        for (String game : wanted) {
            if (!games.isEmpty() && !games.contains(game)) {
                throw new UsageException(
                        "--game: this bot does not play " + game + ", but " + String.join(", ", games));
            }
        }
        return wanted.isEmpty() ? games : wanted;
    }

    private static String token(CommandLine line) throws UsageException {
        // An option beats a variable, and a file beats a token that other programs can see.
        Optional<String> given = line.given(Option.TOKEN);
        Optional<String> file = given.isEmpty() ? line.text(Option.TOKEN_FILE) : Optional.empty();
        if (file.isPresent()) {
            return tokenIn(file.get(), line.source(Option.TOKEN_FILE));
        }
        String token = line.text(Option.TOKEN).orElse("");
        if (!TokenFile.isToken(token)) {
            // The sentence leaves the token out: it is secret.
            throw new UsageException(line.source(Option.TOKEN)
                    + ": the token holds a character that no token has; was something else copied along with it?");
        }
        return token;
    }

    private static String tokenIn(String path, String source) throws UsageException {
        try {
            return TokenFile.parse(Contents.first(TokenFile.LONGEST_BYTES + 1, path));
        } catch (IOException | IllegalArgumentException error) {
            throw new UsageException(source + ": " + path + " cannot be used: " + Contents.reason(error));
        }
    }

    private static String event(CommandLine line) throws UsageException {
        String event = line.text(Option.EVENT).orElse("");
        if (!event.matches("|[a-z0-9][a-z0-9-]{0,63}")) {
            throw new UsageException(line.source(Option.EVENT) + ": '" + event
                    + "' is not the name of an event: small letters, digits and hyphens");
        }
        return event;
    }

    private static ByteString nonce(CommandLine line) throws UsageException {
        Optional<String> given = line.text(Option.NONCE);
        if (given.isEmpty()) {
            byte[] nonce = new byte[NONCE_BYTES];
            new SecureRandom().nextBytes(nonce);
            return ByteString.copyFrom(nonce);
        }
        int digits = given.get().length();
        if (!given.get().matches("([0-9A-Fa-f]{2})+") || digits < 2 * NONCE_BYTES || digits > 2 * MOST_NONCE_BYTES) {
            throw new UsageException(line.source(Option.NONCE) + ": '" + given.get() + "' is not " + NONCE_BYTES
                    + " to " + MOST_NONCE_BYTES + " bytes in hexadecimal");
        }
        return ByteString.copyFrom(HexFormat.of().parseHex(given.get()));
    }

    private static int count(CommandLine line, Option option) throws UsageException {
        String text = line.text(option).orElse("0");
        try {
            if (text.matches("[0-9]+")) { // Java would take a sign, too, and digits of other scripts.
                return Integer.parseUnsignedInt(text);
            }
        } catch (NumberFormatException error) {
            // It is too great.
        }
        throw new UsageException(
                option.word() + ": '" + text + "' is not a number from 0 to " + Integer.toUnsignedString(-1));
    }

    private static Tls tls(CommandLine line) throws UsageException {
        boolean hasFiles = Stream.of(Option.TLS_CA, Option.TLS_CERT, Option.TLS_KEY)
                .anyMatch(option -> line.text(option).isPresent());
        return hasFiles || line.has(Option.TLS) ? Tls.of(line) : null;
    }

    private static Receipts receipts(CommandLine line) throws UsageException {
        Optional<String> path = line.text(Option.RECEIPTS);
        if (path.isPresent()) {
            Receipts.require(path.get(), line.source(Option.RECEIPTS));
        }
        return file(line, Option.RECEIPTS).map(Receipts::in).orElse(Receipts.NONE);
    }

    private static Optional<Appended> file(CommandLine line, Option option) throws UsageException {
        Optional<String> path = line.text(option);
        return path.isEmpty() ? Optional.empty() : Optional.of(Appended.open(path.get(), line.source(option)));
    }
}
