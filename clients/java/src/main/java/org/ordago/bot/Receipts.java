package org.ordago.bot;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.ordago.v1.Beacon;
import org.ordago.v1.DescribeEventResponse;
import org.ordago.v1.MatchEnd;
import org.ordago.v1.MatchStart;

/** Receipts of what a server says about its event, one line of JSON each, as evidence for later: docs/proof.md. */
final class Receipts {
    /** Receipts that are not stored. */
    static final Receipts NONE = new Receipts(line -> {});

    private static final Set<String> KINDS = Set.of("event", "match_start", "match_end");
    /** The longest receipt, which names all entrants of an event, is shorter. */
    private static final int MOST_BYTES = 1 << 20;

    private final Consumer<String> lines;
    private Map<String, Object> event = Map.of();

    Receipts(Consumer<String> lines) {
        this.lines = lines;
    }

    /**
     * Refuses a file that is neither empty nor begins with a receipt. Only a regular file can be spoilt.
     *
     * @param path its path
     * @param source the option or variable that names it
     */
    static void require(String path, String source) throws UsageException {
        try {
            Path file = Contents.path(path);
            if (Files.isRegularFile(file) && Files.size(file) > 0 && !isReceipt(firstLine(path))) {
                throw new IOException("it is there and holds no receipts");
            }
        } catch (IOException error) {
            throw new UsageException(source + ": cannot write to " + path + ": " + Contents.reason(error));
        }
    }

    private static String firstLine(String path) throws IOException {
        String contents = new String(Contents.first(MOST_BYTES, path), StandardCharsets.UTF_8);
        return contents.split("\n", 2)[0];
    }

    private static boolean isReceipt(String line) {
        try {
            return JsonParser.parseString(line) instanceof JsonObject receipt
                    && receipt.get("kind") instanceof JsonPrimitive kind
                    && KINDS.contains(kind.getAsString());
        } catch (JsonParseException error) {
            return false;
        }
    }

    /** Returns receipts that are appended to a file. */
    static Receipts in(Appended file) {
        return new Receipts(line -> {
            try {
                file.append(line);
            } catch (IOException error) {
                throw new UncheckedIOException("cannot keep a receipt", error);
            }
        });
    }

    /** Stores what the server says about its event, before it knows the nonce of the bot. There may be no event. */
    void describe(DescribeEventResponse described, ByteString nonce) {
        event = Map.of();
        if (described.getEvent().isEmpty()) {
            return;
        }
        event = Map.of("event", described.getEvent(), "commitment", hex(described.getCommitment()));
        Map<String, Object> receipt = new TreeMap<>(event);
        receipt.put("kind", "event");
        receipt.put("secret_digest", hex(described.getSecretDigest()));
        receipt.put("settings_digest", hex(described.getSettingsDigest()));
        receipt.put("entrants", described.getEntrantsList());
        receipt.put("beacon", described.hasBeacon() ? beacon(described.getBeacon()) : null);
        receipt.put("nonce", hex(nonce));
        lines.accept(Json.text(receipt));
    }

    private static Map<String, Object> beacon(Beacon beacon) {
        return new TreeMap<>(Map.of(
                "source", beacon.getSource(), "round", unsigned(beacon.getRound()), "value", hex(beacon.getValue())));
    }

    /** Stores the beginning of a match, if it belongs to an event. */
    void begin(MatchStart start) {
        if (start.getLedgerLength() != 0) {
            Map<String, Object> receipt = new TreeMap<>(event);
            receipt.put("kind", "match_start");
            receipt.put("match_id", start.getMatchId());
            receipt.put("name", name(start));
            keepHead(receipt, start.getLedgerLength(), start.getLedgerHead());
        }
    }

    private static String name(MatchStart start) {
        // A seat that does not exist is a fault of the server, and no reason to end the bot.
        boolean isThere = start.getSeat() >= 0 && start.getSeat() < start.getPlayersCount();
        return isThere ? start.getPlayers(start.getSeat()).getName() : "";
    }

    /** Stores the end of a match. The digest of a void one is empty. */
    void end(MatchStart start, MatchEnd end) {
        if (end.getLedgerLength() != 0) {
            Map<String, Object> receipt = new TreeMap<>(event);
            receipt.put("kind", "match_end");
            receipt.put("match_id", start.getMatchId());
            receipt.put("record_digest", hex(end.getRecordDigest()));
            keepHead(receipt, end.getLedgerLength(), end.getLedgerHead());
        }
    }

    private void keepHead(Map<String, Object> receipt, int length, ByteString head) {
        receipt.put("length", unsigned(length));
        receipt.put("head", hex(head));
        lines.accept(Json.text(receipt));
    }

    private static Object unsigned(int number) {
        return Integer.toUnsignedLong(number);
    }

    private static String hex(ByteString bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }
}
