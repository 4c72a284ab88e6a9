package org.ordago.bot;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Log of a bot.
 *
 * @param events takes the events
 * @param verbose true to log all levels; false to leave out DEBUG
 */
record Log(Consumer<LogEvent> events, boolean verbose) {
    /** Begins an event, which {@code write} ends. */
    Entry event(Level level, String name) {
        return new Entry(level, name);
    }

    /** Logs what is no event of its own. */
    void note(Level level, String message) {
        event(level, "note").write(message);
    }

    /** An event that is about to be logged. */
    final class Entry {
        private final Level level;
        private final String name;
        private final Map<String, Object> fields = new LinkedHashMap<>();

        private Entry(Level level, String name) {
            this.level = level;
            this.name = name;
        }

        /** Adds a field; null: it is absent. */
        Entry with(String field, Object value) {
            if (value != null) {
                fields.put(field, value);
            }
            return this;
        }

        /** Adds fields. */
        Entry with(Map<String, Object> more) {
            fields.putAll(more);
            return this;
        }

        /** Logs the event with its sentence. */
        void write(String message) {
            if (level != Level.DEBUG || verbose) {
                events.accept(new LogEvent(Instant.now(), level, name, message, Collections.unmodifiableMap(fields)));
            }
        }
    }

    /** Returns the stack trace of a failure, in lines. */
    static String trace(Throwable failure) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        return trace.toString().stripTrailing();
    }
}
