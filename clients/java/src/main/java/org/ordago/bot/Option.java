package org.ordago.bot;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a command line can say: what an option takes (empty: nothing), the variable that stands in for it (empty: none).
 */
enum Option {
    ADDRESS("HOST:PORT", "ORDAGO_ADDRESS", "the server, or unix:PATH; default: 127.0.0.1:7447"),
    TOKEN_FILE("FILE", "ORDAGO_TOKEN_FILE", "the file that holds the token to come in with; it is read once"),
    TOKEN("TOKEN", "ORDAGO_TOKEN", "the token itself, which other programs can see here"),
    EVENT("NAME", "ORDAGO_EVENT", "the event to come in for; default: what the server plays"),
    NONCE("HEX", "ORDAGO_NONCE", "16 to 64 bytes that are mixed into the deals; default: by chance"),
    TLS("", "ORDAGO_TLS", "connect over TLS, to a server that an authority vouches for whom everybody knows"),
    TLS_CA("FILE", "ORDAGO_TLS_CA", "PEM: connect over TLS, to a server that these authorities vouch for"),
    TLS_CERT("FILE", "ORDAGO_TLS_CERT", "PEM: the bot's own certificate, where the server asks for one"),
    TLS_KEY("FILE", "ORDAGO_TLS_KEY", "PEM: the private key for --tls-cert"),
    RECEIPTS("FILE", "ORDAGO_RECEIPTS", "append what the server says of its event, to hold it to that later"),
    NAME("NAME", "", "how the bot is called where its token does not say it"),
    GAME("GAME", "", "a game to play; may be repeated; default: all that the bot plays"),
    MATCHES("NUMBER", "", "how many matches to play at once; 0: no limit"),
    DECISIONS("NUMBER", "", "how many decisions to take at once; 0: no limit"),
    MATCHES_IN_ALL("NUMBER", "", "after how many matches to take no more, and end when all are over; 0: never"),
    VERBOSE("", "", "or -v: show every message that comes and goes"),
    HELP("", "", "or -h: show this");

    private static final Map<String, String> SHORT = Map.of("-v", "--verbose", "-h", "--help");

    private final String takes;
    private final String variable;
    private final String meaning;

    Option(String takes, String variable, String meaning) {
        this.takes = takes;
        this.variable = variable;
        this.meaning = meaning;
    }

    /** Returns how the option is written. */
    String word() {
        return "--" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns what help says of it. */
    String line() {
        String standsIn = variable.isEmpty() ? "" : " ($" + variable + ")";
        return String.format("  %-24s %s%s%n", word() + " " + takes, meaning, standsIn);
    }

    /** Returns the option that is written so. */
    static Option of(String word) throws UsageException {
        return Arrays.stream(values())
                .filter(option -> option.word().equals(SHORT.getOrDefault(word, word)))
                .findFirst()
                .orElseThrow(() -> new UsageException("there is no option " + word + "; --help shows all"));
    }

    /** Says whether something follows the option. */
    boolean takesSomething() {
        return !takes.isEmpty();
    }

    /** Returns what follows the option, in a word. */
    String takes() {
        return takes;
    }

    /** Returns what the variable says that stands in for it; an empty one says nothing. */
    Optional<String> in(Map<String, String> environment) {
        return Optional.ofNullable(environment.get(variable)).filter(text -> !text.isEmpty());
    }
}
