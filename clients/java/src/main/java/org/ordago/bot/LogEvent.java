package org.ordago.bot;

import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * An event of the log: docs/bot-process.md lists them.
 *
 * @param time the time of the event
 * @param level its level
 * @param name its name, for instance {@code match_begins}
 * @param message a sentence for people
 * @param fields its fields in order: texts, numbers, maps, lists, and messages of the contract
 */
public record LogEvent(Instant time, Level level, String name, String message, Map<String, Object> fields) {
    /** Invisible characters, such as those that control a terminal or turn the direction of writing. */
    private static final Pattern INVISIBLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Z}&&[^ ]]");

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSX", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    /** Returns the event as lines of text: the sentence, and after a failure its stack trace and the decision. */
    public String text() {
        StringBuilder text = new StringBuilder(TIME.format(time) + " " + level + " " + printable(message));
        if (fields.get("trace") instanceof String trace) {
            text.append(trace.lines()
                    .map(line -> "\n" + printable(line.replace("\t", "    ")))
                    .collect(Collectors.joining()));
        }
        if (fields.containsKey("asked")) {
            text.append("\nthe decision: ").append(Json.text(fields.get("asked")));
        }
        return text.toString();
    }

    /** Returns the event as a JSON object in one line. */
    public String json() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("time", TIME.format(time));
        object.put("level", level.name());
        object.put("event", name);
        object.put("message", message);
        object.putAll(fields);
        return Json.text(object);
    }

    /** Returns a text with its invisible characters escaped, so that a server does not control the terminal. */
    static String printable(String text) {
        return INVISIBLE.matcher(text).replaceAll(LogEvent::escape);
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
