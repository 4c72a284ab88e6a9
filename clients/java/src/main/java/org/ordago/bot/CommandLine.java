package org.ordago.bot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Options of a bot, and the variables that stand in for them. An option beats its variable. */
final class CommandLine {
    static final String USAGE = "usage: BOT [options]; --help lists them";

    private static final String AFTERWORD = """

            An option beats its variable. Keep a token in a file: other programs can read command lines and
            environments. With ORDAGO_LAUNCHED=1 the bot ends when its standard input does. With ORDAGO_LOG=json each
            line of the log is a JSON object.

            Told to stop by Ctrl-C, SIGTERM or SIGHUP, a bot takes no more seats, plays its running matches to their
            end, and exits. Told again by Ctrl-C or SIGTERM, it leaves at once, as it does while it is not connected,
            or if it was launched.

            Exit codes: 0 the server said goodbye; 1 the bot itself failed; 2 the command line or the environment is
            wrong; 3 the server cannot be reached, is not trusted, or ended the session otherwise; 130 stopped by the
            user.
            """;

    private final Map<Option, List<String>> options;
    private final Map<String, String> environment;

    private CommandLine(Map<Option, List<String>> options, Map<String, String> environment) {
        this.options = options;
        this.environment = environment;
    }

    /** Parses a command line. Options are written {@code --name ana} or {@code --name=ana}. */
    static CommandLine parse(List<String> arguments, Map<String, String> environment) throws UsageException {
        Map<Option, List<String>> options = new EnumMap<>(Option.class);
        for (Iterator<String> words = arguments.iterator(); words.hasNext(); ) {
            String[] word = words.next().split("=", 2);
            Option option = Option.of(word[0]);
            String value = value(option, word, words);
            options.computeIfAbsent(option, key -> new ArrayList<>()).add(value);
        }
        return new CommandLine(options, environment);
    }

    private static String value(Option option, String[] word, Iterator<String> words) throws UsageException {
        boolean isGiven = word.length > 1;
        if (!option.takesValue()) {
            if (isGiven) {
                throw new UsageException(option.word() + ": it takes no value");
            }
            return "";
        }
        if (!isGiven && !words.hasNext()) {
            throw new UsageException(option.word() + ": its " + option.value() + " is missing");
        }
        return isGiven ? word[1] : words.next();
    }

    /** Returns the value that an option was given last, if any. */
    Optional<String> given(Option option) {
        List<String> given = all(option);
        return given.isEmpty() ? Optional.empty() : Optional.of(given.get(given.size() - 1));
    }

    /** Returns all values that an option was given. */
    List<String> all(Option option) {
        return options.getOrDefault(option, List.of());
    }

    /** Returns the value of an option, or else of its variable; an empty variable counts as unset. */
    Optional<String> text(Option option) {
        return given(option).or(() -> option.in(environment));
    }

    /** Returns the name of whatever gave the value of an option: the option, or its variable. */
    String source(Option option) {
        return given(option).isPresent() ? option.word() : option.variable();
    }

    /** Returns the value of a variable without an option; an empty one counts as unset. */
    Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(text -> !text.isEmpty());
    }

    /** Returns true if an option without a value is given, or switched on by its variable. */
    boolean has(Option option) throws UsageException {
        if (given(option).isPresent()) {
            return true;
        }
        String text = option.in(environment).orElse("0");
        try {
            return parseSwitch(text);
        } catch (IllegalArgumentException error) {
            throw new UsageException(option.variable() + ": '" + text + "' is neither 1 nor 0");
        }
    }

    /** Parses the value of a switch: {@code 1}, {@code 0}, or nothing; {@link IllegalArgumentException} otherwise. */
    static boolean parseSwitch(String text) {
        return switch (text) {
            case "1" -> true;
            case "0", "" -> false;
            default -> throw new IllegalArgumentException("it is neither 1 nor 0");
        };
    }

    /** Returns the help. */
    static String help() {
        return Arrays.stream(Option.values())
                .map(Option::line)
                .collect(Collectors.joining(
                        "", "usage: BOT [options]\n\nConnects to an Ordago server and plays.\n\n", AFTERWORD));
    }
}
