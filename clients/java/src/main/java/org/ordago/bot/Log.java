package org.ordago.bot;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A log of one line for each thing.
 *
 * @param lines takes the lines
 * @param verbose whether everything is said, or only what somebody should know
 */
record Log(Consumer<String> lines, boolean verbose) {
    /** What controls a terminal, or turns the direction of writing: others wrote it, and no terminal should obey. */
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cntrl}\\p{Cf}\\p{Zl}\\p{Zp}]");

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
        lines.accept(Instant.now().truncatedTo(ChronoUnit.MILLIS) + " " + level + " " + printable(sentence));
    }

    /** Returns a text in which what is not to be printed is shown as an escape. */
    static String printable(String text) {
        return UNPRINTABLE.matcher(text).replaceAll(Log::escape);
    }

    private static String escape(MatchResult found) {
        return Matcher.quoteReplacement(String.format("\\u%04x", found.group().codePointAt(0)));
    }
}
