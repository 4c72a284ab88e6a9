package org.ordago.bot;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writer of JSON, as far as receipts need it. */
final class Json {
    private static final Pattern TO_ESCAPE = Pattern.compile("[^ -~]|[\"\\\\]");

    private Json() {}

    /** Returns an object in one line, with sorted keys and without spaces. */
    static String line(Map<String, ?> object) {
        return text(object) + "\n";
    }

    private static String text(Object value) {
        if (value instanceof Map<?, ?> map) {
            return new TreeMap<>(map)
                    .entrySet().stream()
                            .map(entry -> text(entry.getKey()) + ":" + text(entry.getValue()))
                            .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof List<?> list) {
            return list.stream().map(Json::text).collect(Collectors.joining(",", "[", "]"));
        }
        return value instanceof String string ? quoted(string) : String.valueOf(value);
    }

    private static String quoted(String text) {
        return '"' + TO_ESCAPE.matcher(text).replaceAll(Json::escape) + '"';
    }

    /** Escapes a character, or each half of a surrogate pair. */
    private static String escape(MatchResult found) {
        return found.group()
                .chars()
                .mapToObj(half -> Matcher.quoteReplacement(String.format("\\u%04x", half)))
                .collect(Collectors.joining());
    }
}
