package org.ordago.bot;

import java.nio.charset.StandardCharsets;

/** Contents of token files. clients/vectors/README.md says what they may be. */
final class TokenFile {
    /** No token that gRPC sends as metadata is longer. */
    static final int LONGEST_BYTES = 8192;

    private TokenFile() {}

    /**
     * Returns the token in a file; {@link IllegalArgumentException} with the reason if there is none.
     *
     * @param bytes the contents; of a file that is too long, at least {@link #LONGEST_BYTES} and one more
     */
    static String parse(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        boolean isUtf16 = text.startsWith("\u00ff\u00fe") || text.startsWith("\u00fe\u00ff") || text.indexOf(0) >= 0;
        require(!isUtf16, "it is in UTF-16");
        require(!text.startsWith("\u00ef\u00bb\u00bf"), "it begins with a byte-order mark");
        String token = text.replaceAll("^[ \t\r\n]+|[ \t\r\n]+$", "");
        require(!token.isEmpty(), "it has no token");
        require(bytes.length <= LONGEST_BYTES, "it is longer than " + LONGEST_BYTES + " bytes");
        require(token.chars().noneMatch(sign -> sign == '\n' || sign == '\r'), "it has more than one line");
        require(isToken(token), "it has a character that no token has");
        return token;
    }

    /** Returns true if a text has only characters that a token may have: printable ASCII without spaces. */
    static boolean isToken(String text) {
        return text.chars().allMatch(sign -> '!' <= sign && sign <= '~');
    }

    private static void require(boolean isRight, String because) {
        if (!isRight) {
            throw new IllegalArgumentException(because);
        }
    }
}
