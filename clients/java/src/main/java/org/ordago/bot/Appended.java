package org.ordago.bot;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** A file of its owner's alone, to which lines are appended. Several processes may share it. */
final class Appended {
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final FileChannel file;
    private final String path;

    private Appended(FileChannel file, String path) {
        this.file = file;
        this.path = path;
    }

    /**
     * Opens a file.
     *
     * @param path its path
     * @param source the option or variable that names it
     */
    static Appended open(String path, String source) throws UsageException {
        try {
            FileChannel file = FileChannel.open(Contents.path(path), Set.of(CREATE, WRITE, APPEND), OWNER_ONLY);
            return new Appended(file, path);
        } catch (IOException error) {
            throw new UsageException(source + ": cannot write to " + path + ": " + Contents.reason(error));
        }
    }

    /** Returns its path. */
    String path() {
        return path;
    }

    /** Appends a line by a single system call: lines of several processes never mix. */
    void append(String line) throws IOException {
        file.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
    }
}
