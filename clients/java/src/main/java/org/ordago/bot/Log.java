package org.ordago.bot;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Log of a bot, a line for each event.
 *
 * @param lines takes the lines
 * @param verbose true to write all levels; false to leave out DEBUG
 */
record Log(Consumer<String> lines, boolean verbose) {
    /** Invisible characters, such as those that control a terminal or turn the direction of writing. */
    private static final Pattern INVISIBLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Z}&&[^ ]]");

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSX", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    void debug(String sentence) {
        if (verbose) {
            write("DEBUG", sentence);
        }
    }

    void info(String sentence) {
        write("INFO", sentence);
    }

    void warn(String sentence) {
        write("WARNING", sentence);
    }

    void error(String sentence) {
        write("ERROR", sentence);
    }

    private void write(String level, String sentence) {
        lines.accept(TIME.format(Instant.now()) + " " + level + " " + printable(sentence));
    }

    /** Returns a text with its invisible characters escaped, so that a server does not control the terminal. */
    static String printable(String text) {
        return INVISIBLE.matcher(text).replaceAll(Log::escape);
    }

    private static String escape(MatchResult found) {
        int sign = found.group().codePointAt(0);
        String escape = switch (sign) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> String.format(sign < 0x100 ? "\\x%02x" : sign < 0x10000 ? "\\u%04x" : "\\U%08x", sign);
        };
        return Matcher.quoteReplacement(escape);
    }
}
