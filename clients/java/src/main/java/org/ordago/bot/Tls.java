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
import java.util.Optional;
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
     * @param authorities the file of the authorities to trust; empty: those of the Java installation
     * @param certificate the file of the bot's own certificate and its chain; empty: none
     * @param key the file of its private key; present if the certificate is
     */
    static Tls of(Optional<String> authorities, Optional<String> certificate, Optional<String> key)
            throws UsageException {
        // The TLS of Java itself: that of Netty has to unpack a native library first.
        SslContextBuilder builder = GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK);
        if (authorities.isPresent()) {
            builder.trustManager(authorities(authorities.get()));
        }
        try {
            SslContext anonymous = builder.build();
            if (certificate.isEmpty()) {
                return new Tls(anonymous, anonymous);
            }
            identify(builder, certificate.get(), key.orElseThrow());
            return new Tls(builder.build(), anonymous);
        } catch (SSLException error) {
            throw new UsageException("--tls: this Java cannot connect over TLS: " + error.getMessage());
        }
    }

    private static List<X509Certificate> authorities(String path) throws UsageException {
        try {
            return certificates(Contents.text(Option.TLS_CA, path));
        } catch (GeneralSecurityException | IllegalArgumentException error) {
            throw new UsageException("--tls-ca: " + path + " holds no certificates, as PEM");
        }
    }

    private static void identify(SslContextBuilder builder, String certificate, String key) throws UsageException {
        String certificatePem = Contents.text(Option.TLS_CERT, certificate);
        String keyPem = Contents.text(Option.TLS_KEY, key);
        try {
            List<X509Certificate> chain = certificates(certificatePem);
            PrivateKey secret = PrivateKeys.read(keyPem);
            requirePair(chain.get(0), secret);
            builder.keyManager(secret, chain);
        } catch (GeneralSecurityException | IllegalArgumentException error) {
            throw new UsageException("--tls-cert, --tls-key: " + certificate + " and " + key
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
