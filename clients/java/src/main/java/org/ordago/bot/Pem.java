package org.ordago.bot;

import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/** Reader of PEM: text with labelled blocks in base64. */
final class Pem {
    private static final Pattern BLOCK = Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");

    private Pem() {}

    /** Returns the contents of the blocks with a label; {@link IllegalArgumentException} if one is not base64. */
    static List<byte[]> blocks(String text, String label) {
        return BLOCK.matcher(text)
                .results()
                .filter(block -> block.group(1).equals(label))
                .map(block -> Base64.getMimeDecoder().decode(block.group(2)))
                .toList();
    }
}
