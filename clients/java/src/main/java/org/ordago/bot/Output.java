package org.ordago.bot;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channel;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Standard error, which never ends or delays a match: if it is closed, full, or a pipe that nobody reads, lines are
 * lost.
 */
final class Output implements AutoCloseable {
    /** As many as fit in some 20 MB of memory if all of them show decisions. */
    private static final int MOST_WAITING_LINES = 4096;

    private static final long LONGEST_FLUSH_MS = 500;
    private static final int STANDARD_DESCRIPTORS = 3;
    /**
     * The descriptors of /dev/null in place of closed ones, kept from the garbage collector, which would close them.
     */
    private static final List<Channel> PLACEHOLDERS = new ArrayList<>();

    private final OutputStream stream;
    private final ThreadPoolExecutor writer = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MOST_WAITING_LINES),
            Output::daemon,
            new ThreadPoolExecutor.DiscardPolicy());

    Output(OutputStream stream) {
        this.stream = stream;
    }

    /** Returns the standard error of this process. */
    static Output standardError() {
        return new Output(new FileOutputStream(FileDescriptor.err));
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "output");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Opens /dev/null in place of each standard descriptor that is closed, so that no socket gets its number. Files
     * that Java opened for itself may be there already; it opens them for reading only.
     */
    static void holdClosedDescriptors() {
        for (int descriptor = 0; descriptor < STANDARD_DESCRIPTORS; descriptor++) {
            if (!Files.exists(Path.of("/dev/fd/" + descriptor), LinkOption.NOFOLLOW_LINKS)) {
                try {
                    PLACEHOLDERS.add(FileChannel.open(Path.of("/dev/null"), READ, WRITE));
                } catch (IOException error) {
                    // A system without /dev/null has no such descriptors either.
                }
            }
        }
    }

    /** Writes a line soon, in UTF-8, or drops it. */
    void line(String line) {
        writer.execute(() -> write(line));
    }

    private void write(String line) {
        try {
            // A single call: lines of several processes in one file do not mix.
            stream.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException error) {
            // The line is lost.
        }
    }

    /** Waits until all lines are written, but not for a pipe that nobody reads. */
    @Override
    public void close() {
        writer.shutdown();
        try {
            writer.awaitTermination(LONGEST_FLUSH_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
