package org.ordago.bot;

import com.google.protobuf.ByteString;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.ordago.v1.Hello;
import org.ordago.v1.Software;

/**
 * What a command line and an environment say.
 *
 * @param server where to play
 * @param hello who plays, and how much
 * @param receipts keeps what the server says of an event
 * @param verbose whether every message is shown
 */
record Settings(Server server, Hello hello, Receipts receipts, boolean verbose) {
    private static final String DEFAULT_ADDRESS = "127.0.0.1:7447";
    private static final int NONCE_BYTES = 16;
    /** More than gRPC sends along with a call. */
    private static final int LONGEST_TOKEN_BYTES = 8192;

    /** Returns what is said, by a bot of a name and a version that plays some games; none: all. */
    static Settings of(CommandLine line, String name, String version, List<String> games) throws UsageException {
        Server server =
                new Server(line.text(Option.ADDRESS).orElse(DEFAULT_ADDRESS), token(line), event(line), tls(line));
        Hello hello = Hello.newBuilder()
                .setBot(Software.newBuilder()
                        .setName(line.text(Option.NAME).orElse(name))
                        .setVersion(version))
                .setNonce(nonce(line))
                .addAllGames(games(line, games))
                .setMaxMatches(count(line, Option.MATCHES))
                .setMaxOpenDecisions(count(line, Option.DECISIONS))
                .setMatchesInAll(count(line, Option.MATCHES_IN_ALL))
                .build();
        return new Settings(server, hello, receipts(line), line.has(Option.VERBOSE));
    }

    private static List<String> games(CommandLine line, List<String> games) throws UsageException {
        List<String> wanted = line.texts(Option.GAME);
        for (String game : wanted) {
            if (!games.isEmpty() && !games.contains(game)) {
                throw new UsageException(
                        "--game: this bot does not play " + game + ", but " + String.join(", ", games));
            }
        }
        return wanted.isEmpty() ? games : wanted;
    }

    private static String token(CommandLine line) throws UsageException {
        // An option counts for more than a variable, and a token in a file for more than one that others can see.
        Optional<String> given = line.given(Option.TOKEN);
        Optional<String> file = given.isEmpty() ? line.text(Option.TOKEN_FILE) : Optional.empty();
        String token =
                file.isPresent() ? tokenIn(file.get()) : line.text(Option.TOKEN).orElse("");
        if (!token.chars().allMatch(character -> ' ' <= character && character <= '~')) {
            // It is not repeated: it is secret.
            throw new UsageException(
                    "the token holds a character that no token has; was something else copied along with it?");
        }
        return token;
    }

    private static String tokenIn(String path) throws UsageException {
        byte[] contents = Contents.of(Option.TOKEN_FILE, path, LONGEST_TOKEN_BYTES);
        String token = new String(contents, StandardCharsets.ISO_8859_1).strip();
        if (token.isEmpty()) {
            throw new UsageException(
                    "--token-file: " + path + " holds no token; that of a runner can be read only once");
        }
        return token;
    }

    private static String event(CommandLine line) throws UsageException {
        String event = line.text(Option.EVENT).orElse("");
        if (!event.matches("|[a-z0-9][a-z0-9-]{0,63}")) {
            throw new UsageException(
                    "--event: \"" + event + "\" is no event: its name has small letters, digits and hyphens");
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
        try {
            return ByteString.copyFrom(HexFormat.of().parseHex(given.get()));
        } catch (IllegalArgumentException error) {
            throw new UsageException("--nonce: a nonce is written in hexadecimal, not: " + given.get());
        }
    }

    private static int count(CommandLine line, Option option) throws UsageException {
        String text = line.text(option).orElse("0");
        try {
            return Integer.parseUnsignedInt(text);
        } catch (NumberFormatException error) {
            throw new UsageException(
                    option.word() + ": \"" + text + "\" is no whole number from 0 to " + Integer.toUnsignedString(-1));
        }
    }

    private static SslContext tls(CommandLine line) throws UsageException {
        Optional<String> authorities = line.text(Option.TLS_CA);
        Optional<String> certificate = line.text(Option.TLS_CERT);
        Optional<String> key = line.text(Option.TLS_KEY);
        if (certificate.isPresent() != key.isPresent()) {
            throw new UsageException("--tls-cert and --tls-key belong together");
        }
        boolean isWanted = line.has(Option.TLS) || authorities.isPresent() || certificate.isPresent();
        return isWanted ? Tls.of(authorities, certificate, key) : null;
    }

    private static Receipts receipts(CommandLine line) throws UsageException {
        Optional<String> path = line.text(Option.RECEIPTS);
        return path.isEmpty() ? Receipts.NONE : Receipts.in(Path.of(path.get()));
    }
}
