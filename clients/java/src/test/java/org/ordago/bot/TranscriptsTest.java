package org.ordago.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.ordago.v1.BotMessage;
import org.ordago.v1.Hello;
import org.ordago.v1.PlayRequest;
import org.ordago.v1.PlayResponse;
import org.ordago.v1.Software;

/**
 * Plays what clients/transcripts says a client does, over the player: README.md there tells what stands in the files.
 */
final class TranscriptsTest {
    private static final Path FOLDER = Path.of("..", "transcripts");

    @TestFactory
    Stream<DynamicTest> transcripts() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            List<Path> found = files.filter(path -> path.toString().endsWith(".json"))
                    .sorted()
                    .toList();
            assertTrue(found.size() > 30, "the transcripts lie in " + FOLDER);
            return found.stream()
                    .map(path -> DynamicTest.dynamicTest(path.getFileName().toString(), () -> play(path)));
        }
    }

    private static void play(Path path) throws IOException {
        JsonObject transcript = JsonParser.parseString(Files.readString(path)).getAsJsonObject();
        Stage stage = new Stage(transcript);
        for (JsonElement step : transcript.getAsJsonArray("steps")) {
            stage.play(step.getAsJsonObject());
        }
    }

    /** A player, its clock, and what its bots heard. */
    private static final class Stage {
        private final List<String> told = new ArrayList<>();
        private final JsonArray logged = new JsonArray();
        private final Log lines = new Log(event -> logged.add(parsed(event)), false);
        private final PlayerLog log = new PlayerLog(lines);
        private final Player player;
        private long nowMs;
        private long thinksMs;

        Stage(JsonObject transcript) {
            String kind = transcript.get("bot").getAsString();
            JsonObject told = transcript.getAsJsonObject("player");
            Hello wishes = wishes(told);
            boolean stopsOnError =
                    !told.has("on_error") || told.get("on_error").getAsString().equals("stop");
            player = new Player(
                    new Bots(match -> new ScriptedBot(match, kind, this::hear), Runnable::run, stopsOnError),
                    wishes,
                    () -> nowMs,
                    log,
                    new DecisionLog(null, lines),
                    Receipts.NONE);
        }

        private static Hello wishes(JsonObject told) {
            byte[] nonce = HexFormat.of().parseHex(told.get("nonce").getAsString());
            String name = told.get("name").getAsString();
            return Hello.newBuilder()
                    .setBot(Software.newBuilder()
                            .setName(name)
                            .setVersion(told.get("version").getAsString()))
                    .addAllGames(texts(told.getAsJsonArray("games")))
                    .setNonce(ByteString.copyFrom(nonce))
                    .setMaxMatches(told.get("max_matches").getAsInt())
                    .setMaxOpenDecisions(told.get("max_open_decisions").getAsInt())
                    .setMatchesInAll(told.get("matches_in_all").getAsInt())
                    .build();
        }

        private void hear(String words) {
            told.add(words);
            nowMs += words.startsWith("choose") ? thinksMs : 0;
        }

        void play(JsonObject step) throws InvalidProtocolBufferException {
            told.clear();
            while (!logged.isEmpty()) {
                logged.remove(0);
            }
            nowMs = step.has("at_ms") ? step.get("at_ms").getAsLong() : nowMs;
            thinksMs = step.has("thinks_ms") ? step.get("thinks_ms").getAsLong() : 0;
            switch (step.get("do").getAsString()) {
                case "connect" -> compare(step, player.connect(nowMs));
                case "receive" -> compare(step, player.receive(PlayResponse.parseFrom(bytes(step, "frame")), nowMs));
                case "retire" -> compare(step, player.retire());
                case "leave" -> compare(step, player.leave("the bot was told to stop"));
                case "lost" -> assertEquals(step.get("then"), lost(step), step::toString);
                default -> throw new IllegalArgumentException("no such step: " + step);
            }
            if (step.has("told")) {
                assertEquals(texts(step.getAsJsonArray("told")), told);
            }
            assertEquals(step.has("log") ? step.getAsJsonArray("log") : new JsonArray(), logged);
        }

        /** Returns an event as it stands in a transcript; no stack trace is compared. */
        private static JsonObject parsed(LogEvent event) {
            JsonObject fields = JsonParser.parseString(event.json()).getAsJsonObject();
            JsonObject line = new JsonObject();
            fields.remove("time");
            List.of("level", "event", "message").forEach(name -> line.add(name, fields.remove(name)));
            if (fields.has("trace")) {
                fields.addProperty("trace", "…");
            }
            line.add("fields", fields);
            return line;
        }

        private JsonObject lost(JsonObject step) {
            Next next = player.lost(
                    Status.Code.valueOf(step.get("status").getAsString()),
                    step.get("sentence").getAsString(),
                    step.get("retry_after_ms").getAsLong(),
                    nowMs,
                    0);
            JsonObject then = new JsonObject();
            log.next(next, "127.0.0.1:7447", "");
            if (next instanceof Next.Pause pause) {
                then.addProperty("pause_ms", pause.ms());
            } else {
                then.addProperty("over", next instanceof Next.Goodbye ? BotProgram.OK : BotProgram.SESSION_ENDED);
            }
            return then;
        }

        private static void compare(JsonObject step, PlayRequest sent) throws InvalidProtocolBufferException {
            PlayRequest.Builder frame = sent.toBuilder();
            frame.getMessagesBuilderList().stream()
                    .filter(BotMessage.Builder::hasHello)
                    .forEach(message -> message.getHelloBuilder().clearSdk());
            assertEquals(PlayRequest.parseFrom(bytes(step, "sends")), frame.build(), step::toString);
        }

        private static byte[] bytes(JsonObject step, String frame) {
            return step.get(frame).isJsonNull()
                    ? new byte[0]
                    : Base64.getDecoder()
                            .decode(step.getAsJsonObject(frame).get("bytes").getAsString());
        }

        private static List<String> texts(JsonArray array) {
            return StreamSupport.stream(array.spliterator(), false)
                    .map(JsonElement::getAsString)
                    .toList();
        }
    }
}
