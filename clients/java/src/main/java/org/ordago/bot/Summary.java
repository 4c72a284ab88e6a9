package org.ordago.bot;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Counts of a session, for its last line: docs/bot-process.md, Log. */
final class Summary {
    private final Map<Integer, Integer> placings = new TreeMap<>();
    private final Map<String, Integer> refused = new TreeMap<>();
    private final Map<String, Integer> defaults = new TreeMap<>();
    private int matches;
    private int voids;
    private int forfeited;
    private int failures;
    private long slowestMs = -1;
    private String slowestMatch;
    private long slowestDecision;

    /** Counts a match that ended with a placing; null: it is void. */
    void ended(Integer placing) {
        matches++;
        if (placing == null) {
            voids++;
        } else {
            placings.merge(placing, 1, Integer::sum);
        }
    }

    void refused(String cause) {
        refused.merge(cause, 1, Integer::sum);
    }

    void defaultTaken(String fault) {
        defaults.merge(fault, 1, Integer::sum);
    }

    void forfeited() {
        forfeited++;
    }

    void failed() {
        failures++;
    }

    /** Counts an answer that is sent. */
    void thought(long ms, String match, int decision) {
        if (ms > slowestMs) {
            slowestMs = ms;
            slowestMatch = match;
            slowestDecision = Integer.toUnsignedLong(decision);
        }
    }

    /** Returns the number of matches that have ended. */
    int matches() {
        return matches;
    }

    /**
     * Returns true if no answer was refused, nothing was taken by default, nothing was forfeited, and no bot failed.
     */
    boolean isFlawless() {
        return refused.isEmpty() && defaults.isEmpty() && forfeited == 0 && failures == 0;
    }

    /** Returns the counts in a sentence. */
    String sentence() {
        List<String> outcomes = new ArrayList<>();
        placings.forEach((placing, count) -> outcomes.add("placing " + placing + ": " + count));
        outcomes.add("void: " + voids);
        List<String> parts = new ArrayList<>();
        parts.add((matches == 1 ? "1 match: " : matches + " matches: ") + String.join(", ", outcomes));
        if (slowestMs >= 0) {
            parts.add("slowest decision: " + slowestMs + " ms (match " + slowestMatch + ", decision " + slowestDecision
                    + ")");
        }
        add(parts, "refused", sum(refused), causes(refused));
        add(parts, "default answers", sum(defaults), causes(defaults));
        add(parts, "forfeited", forfeited, "");
        add(parts, "failures", failures, "");
        return String.join("; ", parts);
    }

    private static void add(List<String> parts, String name, int count, String causes) {
        if (count > 0) {
            parts.add(name + ": " + count + causes);
        }
    }

    private static int sum(Map<String, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    private static String causes(Map<String, Integer> counts) {
        return counts.entrySet().stream()
                .map(count -> count.getKey() + " " + count.getValue())
                .collect(Collectors.joining(", ", " (", ")"));
    }

    /** Returns the counts as the fields of the event. */
    Map<String, Object> fields() {
        Map<String, Integer> byPlacing = new LinkedHashMap<>();
        placings.forEach((placing, count) -> byPlacing.put(Integer.toString(placing), count));
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("matches", matches);
        fields.put("placings", byPlacing);
        fields.put("void", voids);
        if (slowestMs >= 0) {
            fields.put("slowest_ms", slowestMs);
            fields.put("slowest_match", slowestMatch);
            fields.put("slowest_decision", slowestDecision);
        }
        fields.put("refused", refused);
        fields.put("default_answers", defaults);
        fields.put("forfeited", forfeited);
        fields.put("failures", failures);
        return fields;
    }
}
