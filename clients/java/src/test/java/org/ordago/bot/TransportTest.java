package org.ordago.bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ordago.bot.FakeServer.Scene;
import org.ordago.v1.DescribeEventResponse;
import org.ordago.v1.Goodbye;
import org.ordago.v1.Hello;
import org.ordago.v1.PlayResponse;
import org.ordago.v1.ServerMessage;
import org.ordago.v1.Welcome;

@Timeout(30)
final class TransportTest {
    private static final PlayResponse NOTHING = PlayResponse.getDefaultInstance();
    private static final PlayResponse GOODBYE = PlayResponse.newBuilder()
            .addMessages(
                    ServerMessage.newBuilder().setWelcome(Welcome.newBuilder().setSessionId("s")))
            .addMessages(
                    ServerMessage.newBuilder().setGoodbye(Goodbye.newBuilder().setSentence("that was all")))
            .build();

    private static final EventLoopGroup LOOP =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("test", true), NioIoHandler.newFactory());

    private final List<String> lines = new ArrayList<>();
    private final List<String> kept = new ArrayList<>();

    private int play(FakeServer server, Receipts receipts) throws InterruptedException {
        return play(server, receipts, null);
    }

    private int play(FakeServer server, Receipts receipts, Tls tls) throws InterruptedException {
        Log log = new Log(event -> lines.add(event.text()), true);
        PlayerLog playerLog = new PlayerLog(log);
        Player player = new Player(
                new Bots(Players.DEFAULT, Runnable::run, true),
                Hello.getDefaultInstance(),
                Match.CLOCK_MS,
                playerLog,
                new DecisionLog(null, log),
                receipts);
        Server where = new Server(Address.parse(server.address()), "", "cup", tls);
        return new Transport(player, where, new LinkedBlockingQueue<>(), Match.CLOCK_MS, new Random(1), playerLog)
                .play();
    }

    @Test
    void aServerThatSaysGoodbyeAndKeepsTheStreamOpenHoldsUpNobody() throws Exception {
        try (FakeServer server = new FakeServer(null, new Scene(GOODBYE, null, null))) {
            assertEquals(BotProgram.OK, play(server, Receipts.NONE));
        }
        assertTrue(lines.get(lines.size() - 1).endsWith("the server said goodbye: that was all"));
    }

    @Test
    void theEventIsAskedForBeforeHelloWhereReceiptsAreKept() throws Exception {
        DescribeEventResponse event =
                DescribeEventResponse.newBuilder().setEvent("cup").build();
        try (FakeServer server = new FakeServer(event, new Scene(GOODBYE, Status.OK, new Metadata()))) {
            assertEquals(BotProgram.OK, play(server, new Receipts(kept::add)));
            assertEquals(List.of("describe", "HELLO"), List.copyOf(server.heard));
        }
        assertEquals(1, kept.size());
    }

    @Test
    void aServerThatDoesNotKnowTheQuestionPlaysNoEvent() throws Exception {
        try (FakeServer server = new FakeServer(null, new Scene(GOODBYE, Status.OK, new Metadata()))) {
            assertEquals(BotProgram.OK, play(server, new Receipts(kept::add)));
        }
        assertEquals(List.of(), kept);
    }

    @Test
    void aPauseIsToldInSeconds() throws Exception {
        Scene away = new Scene(NOTHING, Status.UNAVAILABLE, new Metadata());
        try (FakeServer server = new FakeServer(null, away, new Scene(GOODBYE, Status.OK, new Metadata()))) {
            assertEquals(BotProgram.OK, play(server, Receipts.NONE));
        }
        String line = ".* INFO the connection broke \\(UNAVAILABLE\\); trying again in 0\\.[0-9]{2} s";
        assertTrue(lines.stream().anyMatch(each -> each.matches(line)), lines::toString);
    }

    @Test
    void aServerInTheClearIsNotTriedAgainOverTls() throws Exception {
        try (FakeServer server = new FakeServer(null)) {
            assertEquals(BotProgram.SESSION_ENDED, play(server, Receipts.NONE, usualTls()));
            String sentence = "the server at " + server.address() + " does not speak TLS: connect without --tls";
            assertTrue(lines.get(lines.size() - 1).endsWith(" ERROR " + sentence), lines::toString);
        }
    }

    private static Tls usualTls() throws UsageException {
        return Tls.of(CommandLine.parse(List.of(), Map.of()));
    }

    @Test
    void aProxyThatIsNotUsedIsNamed() {
        assertEquals("", Transport.unusedProxy(Map.of("https_proxy", "", "no_proxy", "x")));
        assertEquals(
                "; the proxy in HTTPS_PROXY is not used",
                Transport.unusedProxy(Map.of("HTTPS_PROXY", "http://127.0.0.1:9", "http_proxy", "x")));
    }

    @Test
    void namesWithUnderscoresAndStrangePathsAreAddresses() throws Exception {
        for (String text : List.of("ordago_server:7447", "[::1]:7447", "unix:/tmp/a%20b?c#d é", "unix:a b")) {
            ManagedChannel channel = new Server(Address.parse(text), "", "", null).channel(LOOP);
            assertEquals(text.startsWith("unix:") ? "localhost" : text, channel.authority());
            channel.shutdownNow();
        }
    }

    @Test
    void whatIsNoTimeToComeBackAtIsIgnored() throws Exception {
        Metadata trailers = new Metadata();
        trailers.put(Server.key("retry-after-ms"), "99999999999999999999");
        Scene full = new Scene(NOTHING, Status.RESOURCE_EXHAUSTED.withDescription("full\nof bots"), trailers);
        try (FakeServer server = new FakeServer(null, full)) {
            assertEquals(BotProgram.SESSION_ENDED, play(server, Receipts.NONE));
            String sentence =
                    "the server at " + server.address() + " ended the session (RESOURCE_EXHAUSTED): full\\nof bots";
            assertTrue(lines.get(lines.size() - 1).endsWith(sentence), lines::toString);
        }
    }
}
