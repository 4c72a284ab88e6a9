package org.ordago.bot;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Command line and environment of this process in UTF-8, under any locale.
 *
 * <p>In the locale C, which containers often have, Java makes {@code U+FFFD} of each byte beyond ASCII. Linux keeps the
 * bytes in {@code /proc}; elsewhere the text stays as Java read it.
 */
final class Utf8 {
    private static final char LOST = '\ufffd';

    private Utf8() {}

    /** Returns the arguments of the main method, or the last of them, as they were written. */
    static List<String> arguments(List<String> arguments) {
        Charset charset = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
        return isLost(String.join("", arguments)) ? restored(arguments, entries("cmdline"), charset) : arguments;
    }

    /** Returns the environment as it was written. */
    static Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>(System.getenv());
        if (environment.values().stream().anyMatch(Utf8::isLost)) {
            for (byte[] entry : entries("environ")) {
                String[] variable = new String(entry, StandardCharsets.UTF_8).split("=", 2);
                environment.computeIfPresent(variable[0], (name, value) -> isLost(value) ? variable[1] : value);
            }
        }
        return environment;
    }

    /** Returns true if Java could not read each letter of a text. */
    static boolean isLost(String text) {
        return text.indexOf(LOST) >= 0;
    }

    /**
     * Restores arguments.
     *
     * @param arguments the last arguments of the process
     * @param entries its whole command line, which begins with the options of Java
     * @param charset the encoding by which Java read it
     */
    static List<String> restored(List<String> arguments, List<byte[]> entries, Charset charset) {
        List<String> restored = new ArrayList<>(arguments);
        int ahead = entries.size() - arguments.size();
        for (int place = Math.max(0, -ahead); place < restored.size(); place++) {
            byte[] entry = entries.get(ahead + place);
            // The program may have changed its arguments before it handed them on.
            if (new String(entry, charset).equals(restored.get(place))) {
                restored.set(place, new String(entry, StandardCharsets.UTF_8));
            }
        }
        return restored;
    }

    /** Returns the entries of a file of this process in {@code /proc}, each of which ends with a NUL there. */
    private static List<byte[]> entries(String name) {
        List<byte[]> entries = new ArrayList<>();
        try {
            String text = new String(Files.readAllBytes(Path.of("/proc/self", name)), StandardCharsets.ISO_8859_1);
            for (int begin = 0, end; (end = text.indexOf(0, begin)) >= 0; begin = end + 1) {
                entries.add(text.substring(begin, end).getBytes(StandardCharsets.ISO_8859_1));
            }
        } catch (IOException error) {
            // There is no such file: the system is another one.
        }
        return entries;
    }
}
