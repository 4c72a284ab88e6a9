package org.ordago.bot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class OutputTest {
    @Test
    void linesComeInOrderInUtf8() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Output output = new Output(bytes)) {
            output.line("10♥");
            output.line(Log.trace(new IllegalStateException("no")));
        }
        String text = bytes.toString(StandardCharsets.UTF_8);
        assertTrue(text.startsWith("10♥\njava.lang.IllegalStateException: no\n\tat "), text);
    }

    @Test
    void aLineThatCannotBeWrittenIsLostAlone() {
        List<byte[]> written = new ArrayList<>();
        OutputStream full = new OutputStream() {
            @Override
            public void write(int one) {}

            @Override
            public void write(byte[] bytes) throws IOException {
                if (bytes.length > 2) {
                    throw new IOException("No space left on device");
                }
                written.add(bytes);
            }
        };
        try (Output output = new Output(full)) {
            output.line("long");
            output.line("s");
        }
        assertEquals(1, written.size());
        assertArrayEquals(new byte[] {'s', '\n'}, written.get(0));
    }

    @Test
    void aPipeThatNobodyReadsHoldsUpNobody() throws InterruptedException {
        CountDownLatch isRead = new CountDownLatch(1);
        OutputStream pipe = new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                try {
                    isRead.await();
                } catch (InterruptedException interrupted) {
                    throw new IOException(interrupted);
                }
            }
        };
        try (Output output = new Output(pipe)) {
            for (int line = 0; line < 10_000; line++) {
                output.line("line");
            }
        }
        isRead.countDown();
    }
}
