package org.ordago.bot;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Options of a bot: the kind of value (empty: none), the variable that stands in (empty: none), and the help. */
enum Option {
    ADDRESS("HOST:PORT", "ORDAGO_ADDRESS", "HOST:PORT of the server, or unix:PATH; default: 127.0.0.1:7447"),
    TOKEN_FILE("FILE", "ORDAGO_TOKEN_FILE", "file that holds the bot's token; read once"),
    TOKEN("TOKEN", "ORDAGO_TOKEN", "the token itself; other programs can see it here"),
    EVENT("NAME", "ORDAGO_EVENT", "event to enter; default: the server's ladder, or its only event"),
    NONCE("HEX", "ORDAGO_NONCE", "16 to 64 bytes in hexadecimal, mixed into the deals; default: random"),
    TLS("", "ORDAGO_TLS", "connect over TLS"),
    TLS_CA("FILE", "ORDAGO_TLS_CA", "PEM file of the authorities to trust; default: the usual ones"),
    TLS_CERT("FILE", "ORDAGO_TLS_CERT", "PEM file of the bot's own certificate, if the server asks for one"),
    TLS_KEY("FILE", "ORDAGO_TLS_KEY", "PEM file of its private key"),
    RECEIPTS("FILE", "ORDAGO_RECEIPTS", "append receipts of what the server says about its event to this file"),
    ON_ERROR("WHAT", "ORDAGO_ON_ERROR", "stop or default: end if the bot fails, or take the default answer"),
    STRICT("", "", "end with 1 if an answer was refused, or anything else went wrong"),
    LOG_DECISIONS("FILE", "ORDAGO_LOG_DECISIONS", "append each decision and the bot's answer to this file"),
    NAME("NAME", "", "name of the bot, unless its token has one"),
    GAME("GAME", "", "game to play; repeatable; default: all that it can play"),
    MATCHES("NUMBER", "", "matches to play at once; 0: no limit"),
    MATCHES_IN_ALL("NUMBER", "", "matches after which to take no more; 0: never"),
    DECISIONS("NUMBER", "", "decisions to take at once; 0: no limit"),
    VERBOSE("", "", "or -v: show every message"),
    VERSION("", "", "show the versions of the bot and of its SDK"),
    HELP("", "", "or -h: show this help");

    private static final Map<String, String> SHORT = Map.of("-v", "--verbose", "-h", "--help");

    private final String value;
    private final String variable;
    private final String help;

    Option(String value, String variable, String help) {
        this.value = value;
        this.variable = variable;
        this.help = help;
    }

    /** Returns the option as it is written. */
    String word() {
        return "--" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns its line of the help. */
    String line() {
        String standsIn = variable.isEmpty() ? "" : " ($" + variable + ")";
        return String.format("  %-24s %s%s%n", word() + " " + value, help, standsIn);
    }

    /** Returns the option that is written so. */
    static Option of(String word) throws UsageException {
        return Arrays.stream(values())
                .filter(option -> option.word().equals(SHORT.getOrDefault(word, word)))
                .findFirst()
                .orElseThrow(() -> new UsageException(word + ": there is no such option"));
    }

    /** Returns true if a value follows the option. */
    boolean takesValue() {
        return !value.isEmpty();
    }

    /** Returns the kind of value that follows the option. */
    String value() {
        return value;
    }

    /** Returns the variable that stands in for the option; empty if there is none. */
    String variable() {
        return variable;
    }

    /** Returns the value of its variable; an empty one counts as unset. */
    Optional<String> in(Map<String, String> environment) {
        return Optional.ofNullable(environment.get(variable)).filter(text -> !text.isEmpty());
    }
}
