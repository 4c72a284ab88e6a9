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
    /** Characters that control a terminal, or turn the direction of writing. A server must not control a terminal. */
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cntrl}\\p{Cf}\\p{Zl}\\p{Zp}]");

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

    /** Returns a text with escapes in place of its unprintable characters. */
    static String printable(String text) {
        return UNPRINTABLE.matcher(text).replaceAll(Log::escape);
    }

    private static String escape(MatchResult found) {
        return Matcher.quoteReplacement(String.format("\\u%04x", found.group().codePointAt(0)));
    }
}
