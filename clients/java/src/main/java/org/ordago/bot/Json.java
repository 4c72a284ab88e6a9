package org.ordago.bot;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writer of JSON in one line of ASCII, without spaces. */
final class Json {
    private static final Pattern TO_ESCAPE = Pattern.compile("[^ -~]|[\"\\\\]");
    private static final Pattern NOT_ASCII = Pattern.compile("[^ -~]");

    private Json() {}

    /** Returns a map, a list, a text, a number or a message. */
    static String text(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> text(entry.getKey()) + ":" + text(entry.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof List<?> list) {
            return list.stream().map(Json::text).collect(Collectors.joining(",", "[", "]"));
        }
        if (value instanceof Message message) {
            return text(message);
        }
        return value instanceof String string ? quoted(string) : String.valueOf(value);
    }

    private static String text(Message message) {
        try {
            String text = JsonFormat.printer().omittingInsignificantWhitespace().print(message);
            return NOT_ASCII.matcher(text).replaceAll(Json::escape);
        } catch (InvalidProtocolBufferException error) {
            throw new IllegalStateException("only messages of unknown types have no form in JSON", error);
        }
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
