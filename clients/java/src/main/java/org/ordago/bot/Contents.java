package org.ordago.bot;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Files that a command line names. */
final class Contents {
    private Contents() {}

    /**
     * Returns a path in UTF-8 under any locale. In the locale C Java refuses letters beyond ASCII in the text of a
     * path, but not in a URI.
     */
    static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException refused) {
            String escaped = URLEncoder.encode(text, StandardCharsets.UTF_8)
                    .replace("+", "%20")
                    .replace("%2F", "/");
            Path root = Path.of("/");
            Path path = Path.of(URI.create("file:///" + escaped));
            return text.startsWith("/") ? path : root.relativize(path);
        }
    }

    /** Returns at most the first bytes of a file. */
    static byte[] first(int bytes, String path) throws IOException {
        try (InputStream file = Files.newInputStream(path(path))) {
            return file.readNBytes(bytes);
        }
    }

    /** Returns the text in the file that an option names. */
    static String text(CommandLine line, Option option) throws UsageException {
        String path = line.text(option).orElseThrow();
        try {
            return new String(first(Integer.MAX_VALUE, path), StandardCharsets.ISO_8859_1);
        } catch (IOException | IllegalArgumentException error) {
            throw new UsageException(line.source(option) + ": cannot read " + path + ": " + reason(error));
        }
    }

    /** Returns in a few words why a file cannot be used. */
    static String reason(Exception error) {
        if (error instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        if (error instanceof AccessDeniedException) {
            return "permission denied";
        }
        boolean hasReason = error instanceof FileSystemException failed && failed.getReason() != null;
        return hasReason ? ((FileSystemException) error).getReason() : error.getMessage();
    }
}
