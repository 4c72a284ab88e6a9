package org.ordago.bot;

import io.grpc.netty.shaded.io.netty.handler.ssl.JdkSslContext;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.HexFormat;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * A look at a server that could not be reached, to find a use of TLS that can never work: docs/bot-process.md,
 * Connecting. It sends neither the token of the bot nor its certificate.
 */
final class Diagnosis {
    /** The patience of a bot: a server that needs longer is tried again anyway. */
    static final long LONGEST_MS = 2_000;

    /** What an HTTP/2 client sends first: a fixed text and an empty frame of settings. */
    private static final byte[] PREFACE = ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
                    + new String(HexFormat.of().parseHex("000000040000000000"), StandardCharsets.ISO_8859_1))
            .getBytes(StandardCharsets.ISO_8859_1);

    private static final int FRAME_HEADER_BYTES = 9;
    private static final int SETTINGS = 4;
    private static final int TLS_ALERT = 21;
    private static final int TLS_HANDSHAKE = 22;
    private static final int TLS_MAJOR_VERSION = 3;

    private final Server server;
    private final Throwable failure;

    private Diagnosis(Server server, Throwable failure) {
        this.server = server;
        this.failure = failure;
    }

    /**
     * Returns the end of a sentence about a server; empty if trying again may help.
     *
     * @param server the server
     * @param failure the reason why gRPC could not connect; may be null
     * @param longestMs the most time that it may take
     */
    static String of(Server server, Throwable failure, long longestMs) throws InterruptedException {
        FutureTask<String> look = new FutureTask<>(new Diagnosis(server, failure)::look);
        Thread thread = new Thread(look, "diagnosis");
        thread.setDaemon(true);
        thread.start();
        try {
            return look.get(longestMs, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException nothingFound) {
            return "";
        } finally {
            look.cancel(true); // The interrupt closes its connection.
        }
    }

    private String look() throws IOException, GeneralSecurityException {
        if (server.tls() == null) {
            return speaksTls()
                    ? "speaks TLS: connect with --tls, or with --tls-ca FILE if it has an authority of its own"
                    : "";
        }
        String problem = certificateProblem();
        // A server that answers by TLS gets nothing in the clear.
        boolean isPlain = problem.isEmpty() && !speaksTls() && speaksHttp2();
        return isPlain ? "does not speak TLS: connect without --tls" : problem;
    }

    /** Returns true if a server answers the beginning of a handshake by one of its own, or by an alert. */
    private boolean speaksTls() throws IOException, GeneralSecurityException {
        SSLEngine engine =
                SSLContext.getDefault().createSSLEngine(server.address().serverName(), 0);
        engine.setUseClientMode(true);
        ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), hello);
        byte[] sent = new byte[hello.flip().remaining()];
        hello.get(sent);
        byte[] answer = answer(sent, 2);
        return answer.length == 2
                && (answer[0] == TLS_HANDSHAKE || answer[0] == TLS_ALERT)
                && answer[1] == TLS_MAJOR_VERSION;
    }

    /** Returns true if a server answers the first bytes of HTTP/2 in the clear by its settings. */
    private boolean speaksHttp2() throws IOException {
        byte[] answer = answer(PREFACE, FRAME_HEADER_BYTES);
        return answer.length == FRAME_HEADER_BYTES && answer[3] == SETTINGS;
    }

    private String certificateProblem() throws IOException {
        // gRPC tells of the last address that it tried alone, so a name with several is looked at here.
        Throwable cause = server.address().isUnix() ? failure : handshakeFailure();
        while (cause != null && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return problem(cause);
    }

    private Throwable handshakeFailure() throws IOException {
        String host = server.address().serverName();
        SSLContext context = ((JdkSslContext) server.tls().anonymous()).context();
        try (SocketChannel channel = connect();
                SSLSocket socket = (SSLSocket) context.getSocketFactory()
                        .createSocket(channel.socket(), host, server.address().port(), true)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            parameters.setApplicationProtocols(new String[] {"h2"});
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return null;
        } catch (SSLException error) {
            return error;
        }
    }

    /** Returns what is wrong with a certificate, by the innermost cause of a failed handshake. */
    private String problem(Throwable cause) {
        if (cause instanceof CertificateExpiredException) {
            return "has a certificate that has expired";
        }
        if (cause instanceof CertificateNotYetValidException) {
            return "has a certificate that is not valid yet";
        }
        if (cause instanceof CertPathBuilderException || cause instanceof CertPathValidatorException) {
            return "has a certificate of an authority that is not trusted here: name its file with --tls-ca";
        }
        // Java has no class of its own for names: "No subject alternative DNS name matching …", "No name matching …".
        boolean isName =
                cause instanceof CertificateException && cause.getMessage().startsWith("No ");
        return isName
                ? "has a certificate for other names than " + server.address().serverName()
                : "";
    }

    private byte[] answer(byte[] sent, int bytes) throws IOException {
        try (SocketChannel channel = connect()) {
            channel.write(ByteBuffer.wrap(sent));
            return Channels.newInputStream(channel).readNBytes(bytes);
        }
    }

    private SocketChannel connect() throws IOException {
        IOException last = null;
        for (SocketAddress address : server.address().resolve()) {
            try {
                return SocketChannel.open(address);
            } catch (IOException error) {
                last = error;
            }
        }
        throw last;
    }
}
