package org.ordago.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.ordago.v1.Answer;
import org.ordago.v1.Decision;
import org.ordago.v1.Hello;
import org.ordago.v1.MatchStart;
import org.ordago.v1.PlayResponse;
import org.ordago.v1.Refused;
import org.ordago.v1.ServerMessage;
import org.ordago.v1.Welcome;

final class DecisionLogTest {
    private static final Decision DECISION = Decision.newBuilder()
            .setMatchHandle(7)
            .setNumber(1)
            .setDefaultAnswer(Answer.newBuilder().setLegalAction(2))
            .build();

    @TempDir
    private Path folder;

    private final List<String> notes = new ArrayList<>();
    private long nowMs;

    /** Lets a bot answer a decision, and again after a refusal, and returns the log of them. */
    private void play(Path path, Function<Match, Bot> factory) throws UsageException {
        Log log = new Log(event -> notes.add(event.level() + " " + event.name()), false);
        DecisionLog decisions = new DecisionLog(Appended.open(path.toString(), "--log-decisions"), log);
        Bots bots = new Bots(factory, Runnable::run, false);
        Hello hello = Hello.getDefaultInstance();
        Player player = new Player(bots, hello, () -> nowMs, new PlayerLog(log), decisions, Receipts.NONE);
        player.connect(0);
        player.receive(
                PlayResponse.newBuilder()
                        .addMessages(ServerMessage.newBuilder().setWelcome(Welcome.getDefaultInstance()))
                        .addMessages(ServerMessage.newBuilder()
                                .setMatchStart(MatchStart.newBuilder()
                                        .setMatchHandle(7)
                                        .setGame("mus")))
                        .addMessages(ServerMessage.newBuilder().setDecision(DECISION))
                        .addMessages(ServerMessage.newBuilder()
                                .setRefused(Refused.newBuilder()
                                        .setMatchHandle(7)
                                        .setNumber(1)
                                        .setTimeLeftMs(9)))
                        .build(),
                0);
    }

    private List<JsonObject> lines(Path path) throws Exception {
        return Files.readAllLines(path).stream()
                .map(line -> JsonParser.parseString(line).getAsJsonObject())
                .toList();
    }

    @Test
    void eachQuestionIsALine() throws Exception {
        Path path = folder.resolve("decisions.jsonl");
        play(path, match -> decision -> {
            nowMs += 34;
            return Answer.newBuilder().setLegalAction(1).build();
        });
        List<JsonObject> lines = lines(path);
        assertEquals(
                "{\"start\":{\"matchHandle\":7,\"game\":\"mus\"},\"decision\":{\"matchHandle\":7,\"number\":1,"
                        + "\"defaultAnswer\":{\"legalAction\":2}},\"answer\":{\"legalAction\":1},\"milliseconds\":34}",
                lines.get(0).toString());
        assertEquals(
                9, lines.get(1).getAsJsonObject("refused").get("timeLeftMs").getAsInt());
        assertEquals(2, lines.size());
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
    }

    @Test
    void aFailureIsALineWithTheAnswerThatWasSent() throws Exception {
        Path path = folder.resolve("decisions.jsonl");
        play(path, match -> decision -> {
            throw new IllegalStateException("it fails");
        });
        JsonObject line = lines(path).get(0);
        assertEquals("it fails", line.get("error").getAsString());
        assertEquals(2, line.getAsJsonObject("answer").get("legalAction").getAsInt());
    }

    @Test
    void aBotThatWasNeverMadeWasNeverAsked() throws Exception {
        Path path = folder.resolve("decisions.jsonl");
        play(path, match -> {
            throw new IllegalStateException("it fails");
        });
        assertEquals(List.of(), lines(path));
    }

    static boolean hasFullDevice() {
        return Files.exists(Path.of("/dev/full"));
    }

    @Test
    @EnabledIf("hasFullDevice")
    void aLineThatCannotBeWrittenIsToldOnce() throws Exception {
        play(Path.of("/dev/full"), match -> Decision::getDefaultAnswer);
        assertEquals(1, notes.stream().filter("WARNING note"::equals).count());
        assertFalse(notes.contains("ERROR failed"));
    }
}
