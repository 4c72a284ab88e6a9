package org.ordago.bot;

import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * Private keys in the three formats that other programs write.
 *
 * <p>Java reads one of them, PKCS #8. The two older ones hold the same key with less around it; this class adds the
 * rest.
 */
final class PrivateKeys {
    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 0x04;
    private static final int NAME = 0x06;
    private static final int CURVE = 0xa0;
    private static final byte[] VERSION = HexFormat.of().parseHex("020100");
    private static final byte[] RSA = HexFormat.of().parseHex("300d06092a864886f70d0101010500");
    private static final byte[] ELLIPTIC = HexFormat.of().parseHex("06072a8648ce3d0201");

    private PrivateKeys() {}

    /** Returns the key in a PEM text; {@link IllegalArgumentException} if there is none. */
    static PrivateKey read(String pem) throws GeneralSecurityException {
        List<byte[]> plain = Pem.blocks(pem, "PRIVATE KEY");
        List<byte[]> rsa = Pem.blocks(pem, "RSA PRIVATE KEY");
        List<byte[]> elliptic = Pem.blocks(pem, "EC PRIVATE KEY");
        if (!plain.isEmpty()) {
            return ofAnyKind(plain.get(0));
        }
        if (!rsa.isEmpty()) {
            return ofAnyKind(wrapped(RSA, rsa.get(0)));
        }
        if (!elliptic.isEmpty()) {
            return ofAnyKind(wrapped(tagged(SEQUENCE, ELLIPTIC, curve(elliptic.get(0))), elliptic.get(0)));
        }
        throw new IllegalArgumentException("there is no private key");
    }

    /** Returns the signature algorithm of a key. */
    static String signature(PrivateKey key) {
        return switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
    }

    private static PrivateKey ofAnyKind(byte[] pkcs8) throws GeneralSecurityException {
        GeneralSecurityException last = null;
        for (String kind : List.of("EC", "RSA", "EdDSA")) {
            try {
                return KeyFactory.getInstance(kind).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            } catch (GeneralSecurityException otherKind) {
                last = otherKind;
            }
        }
        throw last;
    }

    private static byte[] wrapped(byte[] algorithm, byte[] key) {
        return tagged(SEQUENCE, VERSION, algorithm, tagged(OCTETS, key));
    }

    /** Returns the name of the curve, with its tag, from an elliptic key, where it follows a tag of its own. */
    private static byte[] curve(byte[] key) {
        for (int place = 0; place + 3 < key.length; place++) {
            int length = key[place + 1];
            boolean isCurve = (key[place] & 0xff) == CURVE && key[place + 2] == NAME && key[place + 3] == length - 2;
            if (isCurve && place + 2 + length <= key.length) {
                return Arrays.copyOfRange(key, place + 2, place + 2 + length);
            }
        }
        throw new IllegalArgumentException("the key does not say on which curve it is");
    }

    /** Returns a DER element: a tag, the length, and the contents. */
    private static byte[] tagged(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.write(tag);
        writeLength(whole, content.size());
        whole.writeBytes(content.toByteArray());
        return whole.toByteArray();
    }

    private static void writeLength(ByteArrayOutputStream output, int length) {
        if (length > 0xff) {
            output.write(0x82); // Two bytes follow; a key has less than 64 KiB.
            output.write(length >> Byte.SIZE);
        } else if (length >= 0x80) {
            output.write(0x81); // One byte follows.
        }
        output.write(length);
    }
}
