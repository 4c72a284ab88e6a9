package org.ordago.bot;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/** An authority, and certificates of a server that it signs, made by the keytool of Java. */
final class Certificates {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final Path KEYTOOL = Path.of(System.getProperty("java.home"), "bin", "keytool");

    private final Path folder;
    private final Path store;

    Certificates(Path folder) throws Exception {
        this.folder = folder;
        store = folder.resolve("store.p12");
        keytool("-genkeypair", "-alias", "authority", "-keyalg", "EC", "-dname", "CN=Authority", "-ext", "bc:c");
        keytool("-genkeypair", "-alias", "server", "-keyalg", "EC", "-dname", "CN=Server");
        keytool(
                "-exportcert",
                "-rfc",
                "-alias",
                "authority",
                "-file",
                authority().toString());
        keytool(
                "-certreq",
                "-alias",
                "server",
                "-file",
                folder.resolve("request").toString());
    }

    private void keytool(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(KEYTOOL.toString()));
        command.addAll(List.of(words));
        command.addAll(List.of("-keystore", store.toString(), "-storepass", new String(PASSWORD)));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes());
        if (process.waitFor() != 0) {
            throw new IOException(said);
        }
    }

    /** Returns the file of the authority. */
    Path authority() {
        return folder.resolve("authority.pem");
    }

    /**
     * Returns a socket of a server at 127.0.0.1.
     *
     * @param begins the first day of its certificate, from today
     * @param days the days for which it is valid
     * @param name its name, for instance {@code ip:127.0.0.1}
     */
    SSLServerSocket listen(int begins, int days, String name) throws Exception {
        String signed = folder.resolve("server.pem").toString();
        String[] time = {"-startdate", (begins < 0 ? "" : "+") + begins + "d", "-validity", "" + days};
        keytool(
                "-gencert",
                "-alias",
                "authority",
                "-infile",
                folder.resolve("request").toString(),
                "-outfile",
                signed,
                "-ext",
                "san=" + name,
                time[0],
                time[1],
                time[2],
                time[3]);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(withCertificate(Path.of(signed)), PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 0, InetAddress.getLoopbackAddress());
    }

    private KeyStore withCertificate(Path file) throws Exception {
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD);
        try (InputStream pem = Files.newInputStream(file)) {
            Certificate signed = CertificateFactory.getInstance("X.509").generateCertificate(pem);
            keys.setKeyEntry("server", keys.getKey("server", PASSWORD), PASSWORD, new Certificate[] {signed});
        }
        keys.deleteEntry("authority");
        return keys;
    }
}
