package org.ordago.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import com.google.protobuf.ByteString;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ordago.v1.Beacon;
import org.ordago.v1.DescribeEventResponse;
import org.ordago.v1.MatchEnd;
import org.ordago.v1.MatchStart;
import org.ordago.v1.Player;

final class ReceiptsTest {
    private static final MatchStart START = MatchStart.newBuilder()
            .setMatchId("m")
            .setSeat(1)
            .addPlayers(Player.newBuilder().setName("ben"))
            .addPlayers(Player.newBuilder().setName("ana \"♥\" 🂡\n"))
            .setLedgerLength(3)
            .setLedgerHead(ByteString.copyFromUtf8("h"))
            .build();
    private static final DescribeEventResponse EVENT = DescribeEventResponse.newBuilder()
            .setEvent("cup")
            .setCommitment(ByteString.copyFromUtf8("c"))
            .addEntrants("ana")
            .build();

    private final List<String> lines = new ArrayList<>();
    private final Receipts receipts = new Receipts(lines::add);

    @Test
    void eachIsALineWithSortedKeys() {
        receipts.describe(EVENT, ByteString.copyFromUtf8("n"));
        receipts.begin(START);
        receipts.end(START, MatchEnd.newBuilder().setLedgerLength(4).build());
        assertEquals("""
                {"beacon":null,"commitment":"63","entrants":["ana"],"event":"cup","kind":"event","nonce":"6e",\
                "secret_digest":"","settings_digest":""}
                {"commitment":"63","event":"cup","head":"68","kind":"match_start","length":3,"match_id":"m",\
                "name":"ana \\u0022\\u2665\\u0022 \\ud83c\\udca1\\u000a"}
                {"commitment":"63","event":"cup","head":"","kind":"match_end","length":4,"match_id":"m",\
                "record_digest":""}""", String.join("\n", lines));
        String name = JsonParser.parseString(lines.get(1))
                .getAsJsonObject()
                .get("name")
                .getAsString();
        assertEquals(START.getPlayers(1).getName(), name);
    }

    @Test
    void aBeaconIsToldWithItsValue() {
        Beacon beacon = Beacon.newBuilder().setSource("drand").setRound(7).build();
        receipts.describe(EVENT.toBuilder().setBeacon(beacon).build(), ByteString.EMPTY);
        assertTrue(lines.get(0).contains("\"beacon\":{\"round\":7,\"source\":\"drand\",\"value\":\"\"}"));
    }

    @Test
    void whereThereIsNoEventThereIsNothingToBeHeldTo() {
        receipts.describe(DescribeEventResponse.getDefaultInstance(), ByteString.EMPTY);
        receipts.begin(START.toBuilder().setLedgerLength(0).build());
        receipts.end(START, MatchEnd.getDefaultInstance());
        assertEquals(List.of(), lines);
    }

    @Test
    void aSeatThatIsNotThereEndsNoBot() {
        receipts.begin(START.toBuilder().setSeat(9).build());
        assertTrue(lines.get(0).contains("\"name\":\"\""));
    }

    @Test
    void aFileOfSomethingElseIsRefused(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("other");
        for (String wrong : List.of("root:x:0:0\n", "[]\n", "null", "{\"kind\": 1}\n", "{\"start\": {}}\n")) {
            Files.writeString(file, wrong);
            UsageException told =
                    assertThrows(UsageException.class, () -> Receipts.require(file.toString(), "--receipts"));
            assertEquals(
                    "--receipts: cannot write to " + file + ": it is there and holds no receipts", told.getMessage());
        }
        for (String right : List.of("", "{\"kind\":\"match_end\"}\n{", "{\"kind\":\"event\"}")) {
            Files.writeString(file, right);
            Receipts.require(file.toString(), "--receipts");
        }
        Receipts.require("/dev/null", "--receipts");
        Receipts.require(folder.resolve("none").toString(), "--receipts");
    }

    @Test
    void aFileIsAppendedToAndItsOwnersAlone(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("receipts");
        for (int time = 0; time < 2; time++) {
            Receipts.in(Appended.open(file.toString(), "--receipts")).begin(START);
        }
        assertEquals(2, Files.readAllLines(file).size());
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    }
}
