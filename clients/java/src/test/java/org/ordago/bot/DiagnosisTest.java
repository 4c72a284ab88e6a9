package org.ordago.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.security.cert.CertificateExpiredException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
final class DiagnosisTest {
    private static final String SPEAKS_TLS =
            "speaks TLS: connect with --tls, or with --tls-ca FILE if it has an authority of its own";
    private static final String IS_PLAIN = "does not speak TLS: connect without --tls";
    private static final int YEAR = 365;
    private static final long PATIENCE_MS = 30_000;

    @TempDir
    private static Path folder;

    private static Certificates certificates;

    @BeforeAll
    static void makeCertificates() throws Exception {
        certificates = new Certificates(folder);
    }

    private static Tls tls(String... options) throws UsageException {
        return Tls.of(CommandLine.parse(List.of(options), Map.of()));
    }

    private static Tls trusting() throws UsageException {
        return tls("--tls-ca", certificates.authority().toString());
    }

    private static String look(ServerSocket listening, Tls tls) throws InterruptedException {
        return look(listening, tls, PATIENCE_MS);
    }

    private static String look(ServerSocket listening, Tls tls, long longestMs) throws InterruptedException {
        Address address = Address.parse("127.0.0.1:" + listening.getLocalPort());
        return Diagnosis.of(new Server(address, "secret", "", tls), null, longestMs);
    }

    /** Shakes hands with whoever connects. */
    private static SSLServerSocket serve(SSLServerSocket listening) {
        serve(listening, socket -> ((SSLSocket) socket).startHandshake());
        return listening;
    }

    private static void serve(ServerSocket listening, Scene scene) {
        Thread thread = new Thread(() -> {
            while (!listening.isClosed()) {
                try (Socket socket = listening.accept()) {
                    scene.play(socket);
                } catch (IOException error) {
                    // The handshake failed, as it should, or the test is over.
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private interface Scene {
        void play(Socket socket) throws IOException;
    }

    private static ServerSocket listen() throws IOException {
        return new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    }

    /** Answers the first bytes of a client, in hexadecimal, and waits for it to leave. */
    private static void answer(ServerSocket listening, String answer) {
        serve(listening, socket -> {
            socket.getInputStream().read();
            socket.getOutputStream().write(HexFormat.of().parseHex(answer));
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        });
    }

    @Test
    void aServerThatShakesHandsSpeaksTls() throws Exception {
        try (SSLServerSocket listening = serve(certificates.listen(-1, YEAR, "ip:127.0.0.1"))) {
            assertEquals(SPEAKS_TLS, look(listening, null));
            assertEquals("", look(listening, trusting()));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "-9, 5, ip:127.0.0.1, has a certificate that has expired",
        "5, 9, ip:127.0.0.1, has a certificate that is not valid yet",
        "-1, 9, dns:play.example.org, has a certificate for other names than 127.0.0.1",
    })
    void aWrongCertificateIsTold(int begins, int days, String name, String problem) throws Exception {
        try (SSLServerSocket listening = serve(certificates.listen(begins, days, name))) {
            assertEquals(problem, look(listening, trusting()));
        }
    }

    @Test
    void anUnknownAuthorityIsTold() throws Exception {
        try (SSLServerSocket listening = serve(certificates.listen(-1, YEAR, "ip:127.0.0.1"))) {
            assertEquals(
                    "has a certificate of an authority that is not trusted here: name its file with --tls-ca",
                    look(listening, tls()));
        }
    }

    @Test
    void anAlertIsTlsTooAndNothingFollowsInTheClear() throws Exception {
        try (ServerSocket listening = listen()) {
            serve(listening, socket -> {
                boolean isClear = socket.getInputStream().read() == 'P';
                String answer = isClear ? "000000040000000000" : "15030100020228";
                socket.getOutputStream().write(HexFormat.of().parseHex(answer));
                socket.getInputStream().transferTo(OutputStream.nullOutputStream());
            });
            assertEquals(SPEAKS_TLS, look(listening, null));
            assertEquals("", look(listening, trusting()));
        }
    }

    @Test
    void aServerOfGrpcInTheClearDoesNotSpeakTls() throws Exception {
        try (FakeServer listening = new FakeServer(null)) {
            Server server = new Server(Address.parse(listening.address()), "", "", trusting());
            assertEquals(IS_PLAIN, Diagnosis.of(server, null, PATIENCE_MS));
            Server plain = new Server(Address.parse(listening.address()), "", "", null);
            assertEquals("", Diagnosis.of(plain, null, PATIENCE_MS));
        }
    }

    @Test
    void aServerOfHttpIsTriedAgain() throws Exception {
        try (ServerSocket listening = listen()) {
            serve(listening, socket -> {
                socket.getInputStream().read();
                socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes());
            });
            assertEquals("", look(listening, null));
            assertEquals("", look(listening, trusting()));
        }
    }

    @Test
    void aServerThatSaysNothingIsNotWaitedFor() throws Exception {
        try (ServerSocket listening = listen()) {
            answer(listening, "");
            assertEquals("", look(listening, null, 10));
            assertEquals("", look(listening, trusting(), 10));
        }
    }

    @Test
    void atAUnixSocketTheFailureOfGrpcTellsOfTheCertificate() throws Exception {
        Server server = new Server(Address.parse("unix:none"), "", "", trusting());
        Throwable failure = new SSLException("no", new CertificateExpiredException());
        assertEquals("has a certificate that has expired", Diagnosis.of(server, failure, PATIENCE_MS));
    }

    @Test
    void aServerThatIsNotThereIsTriedAgain() throws Exception {
        ServerSocket listening = listen();
        listening.close();
        assertEquals("", look(listening, null));
        assertEquals("", look(listening, trusting()));
    }
}
