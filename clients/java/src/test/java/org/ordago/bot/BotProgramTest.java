package org.ordago.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.grpc.Metadata;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ordago.bot.FakeServer.Scene;
import org.ordago.v1.Goodbye;
import org.ordago.v1.MatchEnd;
import org.ordago.v1.MatchStart;
import org.ordago.v1.PlayResponse;
import org.ordago.v1.ServerMessage;
import org.ordago.v1.Welcome;

@Timeout(30)
final class BotProgramTest {
    private static final PlayResponse SESSION = PlayResponse.newBuilder()
            .addMessages(ServerMessage.newBuilder().setWelcome(Welcome.getDefaultInstance()))
            .addMessages(ServerMessage.newBuilder()
                    .setMatchStart(MatchStart.newBuilder().setMatchHandle(1).setMatchId("m")))
            .addMessages(
                    ServerMessage.newBuilder().setMatchEnd(MatchEnd.newBuilder().setMatchHandle(1)))
            .addMessages(
                    ServerMessage.newBuilder().setGoodbye(Goodbye.newBuilder().setSentence("bye")))
            .build();

    private final List<String> heard = new ArrayList<>();

    @Test
    void itReturnsAndHandsItsEventsToAListenerWhoseFailuresAreItsOwn() throws Exception {
        BotProgram program = BotProgram.of("bot", "1", Players.DEFAULT)
                .threads(2)
                .log(event -> {
                    heard.add(event.name());
                    throw new IllegalStateException("a logger of the author's");
                });
        try (FakeServer server = new FakeServer(null, new Scene(SESSION, Status.OK, new Metadata()))) {
            assertEquals(BotProgram.OK, program.run("--address", server.address()));
        }
        assertEquals(List.of("connected", "match_begins", "match_ended", "goodbye", "summary"), heard);
    }

    @Test
    void aWrongCommandLineIsACode() {
        assertEquals(
                BotProgram.USAGE, BotProgram.of("bot", "1", Players.DEFAULT).run("--nonsense"));
        BotProgram program = BotProgram.of("bot", "1", Players.DEFAULT);
        assertThrows(IllegalArgumentException.class, () -> program.threads(-1));
    }
}
