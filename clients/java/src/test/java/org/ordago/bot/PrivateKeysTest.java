package org.ordago.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigInteger;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PrivateKeysTest {
    /** Where the older form of a key begins in the newer one: behind its version, its kind and three lengths. */
    private static final int RSA_WITHIN = 26;

    private static String pem(String label, byte[] contents) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(contents);
        return "a word before\n-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n";
    }

    private static PrivateKey newKey(String kind, int bits) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(kind);
        generator.initialize(bits);
        return generator.generateKeyPair().getPrivate();
    }

    @ParameterizedTest
    @CsvSource({"RSA, 2048", "EC, 256", "EC, 384", "EdDSA, 255"})
    void aKeyOfEachKindIsRead(String kind, int bits) throws Exception {
        PrivateKey key = newKey(kind, bits);
        assertEquals(key, PrivateKeys.read(pem("PRIVATE KEY", key.getEncoded())));
    }

    @Test
    void anRsaKeyOfTheOlderFormIsRead() throws Exception {
        PrivateKey key = newKey("RSA", 2048);
        byte[] older = Arrays.copyOfRange(key.getEncoded(), RSA_WITHIN, key.getEncoded().length);
        assertEquals(key, PrivateKeys.read(pem("RSA PRIVATE KEY", older)));
    }

    @Test
    void anEllipticKeyOfTheOlderFormIsRead() throws Exception {
        String number = "07".repeat(32);
        byte[] older = HexFormat.of().parseHex("30310201010420" + number + "a00a06082a8648ce3d030107");
        ECPrivateKey key = (ECPrivateKey) PrivateKeys.read(pem("EC PRIVATE KEY", older));
        assertEquals(new BigInteger(number, 16), key.getS());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "-----BEGIN PRIVATE KEY-----", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"
            })
    void whatHoldsNoKeyIsRefused(String pem) {
        assertThrows(IllegalArgumentException.class, () -> PrivateKeys.read(pem));
    }

    @Test
    void anEllipticKeyThatEndsTooEarlyIsRefused() {
        byte[] cut = HexFormat.of().parseHex("3008020101a07f067d2a");
        assertThrows(IllegalArgumentException.class, () -> PrivateKeys.read(pem("EC PRIVATE KEY", cut)));
    }
}
