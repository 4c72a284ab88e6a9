package org.ordago.bot;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads the files that a command line names. */
final class Contents {
    private Contents() {}

    /** Returns what is in the file that an option names, as much of it as is wanted. */
    static byte[] of(Option option, String path, int mostBytes) throws UsageException {
        try (InputStream file = Files.newInputStream(Path.of(path))) {
            return file.readNBytes(mostBytes);
        } catch (IOException | InvalidPathException error) {
            throw new UsageException(option.word() + ": cannot read " + path + ": " + reason(error));
        }
    }

    /** Returns the text in the file that an option names. */
    static String text(Option option, String path) throws UsageException {
        return new String(of(option, path, Integer.MAX_VALUE), StandardCharsets.ISO_8859_1);
    }

    /** Says in a few words what is wrong with a file. */
    static String reason(Exception error) {
        if (error instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        if (error instanceof AccessDeniedException) {
            return "permission denied";
        }
        boolean namesPath = error instanceof FileSystemException failed && failed.getReason() != null;
        return namesPath ? ((FileSystemException) error).getReason() : error.getMessage();
    }
}
