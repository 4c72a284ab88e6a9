package org.ordago.bot;

import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;

/**
 * Certificates for TLS. All files are PEM.
 *
 * @param context the context of the bot's connections
 * @param anonymous the same without the bot's own certificate
 */
record Tls(SslContext context, SslContext anonymous) {
    /**
     * Reads the files.
     *
     * @param line names the files: the authorities to trust, else those of the Java installation; the bot's own
     *     certificate with its chain, and its private key, or neither
     */
    static Tls of(CommandLine line) throws UsageException {
        if (line.text(Option.TLS_CERT).isPresent() != line.text(Option.TLS_KEY).isPresent()) {
            throw new UsageException("--tls-cert and --tls-key belong together");
        }
        // The TLS of Java itself: that of Netty has to unpack a native library first.
        SslContextBuilder builder = GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK);
        if (line.text(Option.TLS_CA).isPresent()) {
            builder.trustManager(authorities(line));
        }
        try {
            SslContext anonymous = builder.build();
            if (line.text(Option.TLS_CERT).isEmpty()) {
                return new Tls(anonymous, anonymous);
            }
            identify(builder, line);
            return new Tls(builder.build(), anonymous);
        } catch (SSLException error) {
            throw new UsageException("--tls: this Java cannot connect over TLS: " + error.getMessage());
        }
    }

    private static List<X509Certificate> authorities(CommandLine line) throws UsageException {
        try {
            return certificates(Contents.text(line, Option.TLS_CA));
        } catch (GeneralSecurityException | IllegalArgumentException error) {
            throw new UsageException(line.source(Option.TLS_CA) + ": "
                    + line.text(Option.TLS_CA).orElseThrow() + " holds no certificates, as PEM");
        }
    }

    private static void identify(SslContextBuilder builder, CommandLine line) throws UsageException {
        String certificate = Contents.text(line, Option.TLS_CERT);
        String key = Contents.text(line, Option.TLS_KEY);
        try {
            List<X509Certificate> chain = certificates(certificate);
            PrivateKey secret = PrivateKeys.read(key);
            requirePair(chain.get(0), secret);
            builder.keyManager(secret, chain);
        } catch (GeneralSecurityException | IllegalArgumentException error) {
            throw new UsageException(line.source(Option.TLS_CERT) + ", " + line.source(Option.TLS_KEY) + ": "
                    + line.text(Option.TLS_CERT).orElseThrow() + " and "
                    + line.text(Option.TLS_KEY).orElseThrow()
                    + " are no certificate and its key, as PEM and without a password");
        }
    }

    private static List<X509Certificate> certificates(String pem) throws GeneralSecurityException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        List<X509Certificate> certificates = new ArrayList<>();
        for (byte[] block : Pem.blocks(pem, "CERTIFICATE")) {
            certificates.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block)));
        }
        if (certificates.isEmpty()) {
            throw new IllegalArgumentException("there is no certificate");
        }
        return certificates;
    }

    /** Checks that the key belongs to the certificate, by a signature. */
    private static void requirePair(X509Certificate certificate, PrivateKey key) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(PrivateKeys.signature(key));
        byte[] text = certificate.getEncoded();
        signature.initSign(key);
        signature.update(text);
        byte[] signed = signature.sign();
        signature.initVerify(certificate.getPublicKey());
        signature.update(text);
        if (!signature.verify(signed)) {
            throw new IllegalArgumentException("the key is that of another certificate");
        }
    }
}
