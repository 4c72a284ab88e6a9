package org.ordago.bot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a bot was told: by options, and by the variables that stand in for them. An option counts for more. */
final class CommandLine {
    private static final String AFTERWORD = """

            An option counts for more than its variable. A token belongs into a file: other programs can read command
            lines and environments. With ORDAGO_LAUNCHED=1 the bot ends when its standard input does.

            Told to stop, by Ctrl-C or SIGTERM, it takes no more seats, plays its running matches to their end, and
            ends; told once more, or while it is not connected, or where it was launched, it leaves at once.

            Exit codes: 0 the server said goodbye; 1 the bot itself failed; 2 the command line or the environment is
            wrong; 3 the server cannot be reached, is not believed, or ended the session otherwise; 130 stopped by the
            user.
            """;

    private final Map<Option, List<String>> options;
    private final Map<String, String> environment;

    private CommandLine(Map<Option, List<String>> options, Map<String, String> environment) {
        this.options = options;
        this.environment = environment;
    }

    /** Reads what a bot was told. Options are written {@code --name ana} or {@code --name=ana}. */
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
        if (!option.takesSomething() && isGiven) {
            throw new UsageException(option.word() + " takes nothing");
        }
        if (!option.takesSomething()) {
            return "";
        }
        if (!isGiven && !words.hasNext()) {
            throw new UsageException(option.word() + " takes a " + option.takes());
        }
        return isGiven ? word[1] : words.next();
    }

    /** Says whether help is asked for. */
    boolean wantsHelp() {
        return options.containsKey(Option.HELP);
    }

    /** Returns what an option was last given, if it was. */
    Optional<String> given(Option option) {
        List<String> given = texts(option);
        return given.isEmpty() ? Optional.empty() : Optional.of(given.get(given.size() - 1));
    }

    /** Returns all that an option was given. */
    List<String> texts(Option option) {
        return options.getOrDefault(option, List.of());
    }

    /** Returns what an option was given, or what its variable says; an empty variable says nothing. */
    Optional<String> text(Option option) {
        return given(option).or(() -> option.in(environment));
    }

    /** Says whether an option is there that takes nothing, or its variable. */
    boolean has(Option option) {
        return text(option).isPresent();
    }

    /** Returns all that can be said to a bot. */
    static String help() {
        return Arrays.stream(Option.values())
                .map(Option::line)
                .collect(Collectors.joining("", "Connects to an Ordago server and plays.\n\n", AFTERWORD));
    }
}
