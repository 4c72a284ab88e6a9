package org.ordago.bot;

import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.ordago.v1.PlayRequest;

/** Network connection of a player: one stream, opened again when it breaks. */
final class Transport {
    private static final Metadata.Key<String> RETRY_AFTER = Server.key("retry-after-ms");
    /** The time that a Goodbye may take: longer than a round trip to anywhere. */
    private static final long LONGEST_GOODBYE_MS = 1_000;

    private final Player player;
    private final Server server;
    private final BlockingQueue<Happening> happenings;
    private final LongSupplier clockMs;
    private final RandomGenerator jitter;
    private final PlayerLog log;
    private final EventLoopGroup loop =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("ordago", true), NioIoHandler.newFactory());

    private boolean hasAnswered;
    private boolean hasFailed;

    /**
     * Prepares to play.
     *
     * @param happenings the queue of all events, into which signals put their orders
     * @param jitter varies the pauses, so that not all bots come back at the same time
     */
    Transport(
            Player player,
            Server server,
            BlockingQueue<Happening> happenings,
            LongSupplier clockMs,
            RandomGenerator jitter,
            PlayerLog log) {
        this.player = player;
        this.server = server;
        this.happenings = happenings;
        this.clockMs = clockMs;
        this.jitter = jitter;
        this.log = log;
    }

    /** Plays until there is nothing more to play, and returns the exit code. */
    int play() throws InterruptedException {
        int code = playAll();
        long untilMs = clockMs.getAsLong() + LONGEST_GOODBYE_MS;
        while (player.isThinking() && poll(untilMs) != null) {
            player.answers(); // Too late to be sent.
        }
        return code;
    }

    private int playAll() throws InterruptedException {
        while (true) {
            if (!(playOnce() instanceof Happening.Closed closed)) {
                return BotProgram.INTERRUPTED;
            }
            Next next = lost(closed);
            String problem = next instanceof Next.Pause ? diagnosis(closed) : "";
            if (!problem.isEmpty()) {
                log.impossible(server.address().text(), problem);
                return BotProgram.SESSION_ENDED;
            }
            // A server that answered once needs no proxy.
            log.next(next, server.address().text(), hasAnswered ? "" : unusedProxy(System.getenv()));
            if (!(next instanceof Next.Pause pause)) {
                return next instanceof Next.Goodbye ? BotProgram.OK : BotProgram.SESSION_ENDED;
            }
            if (isInterrupted(pause.ms())) {
                return BotProgram.INTERRUPTED;
            }
        }
    }

    /** Pauses, and returns true if the bot is told to stop meanwhile. */
    private boolean isInterrupted(long ms) throws InterruptedException {
        long untilMs = clockMs.getAsLong() + ms;
        Happening happening = poll(untilMs);
        while (happening instanceof Happening.Answered) {
            player.answers(); // They are sent when their decisions come again.
            happening = poll(untilMs);
        }
        return happening != null;
    }

    /** Waits for the next event until a time; null: none came. */
    private Happening poll(long untilMs) throws InterruptedException {
        return happenings.poll(untilMs - clockMs.getAsLong(), TimeUnit.MILLISECONDS);
    }

    private Next lost(Happening.Closed closed) {
        String retryAfter = closed.trailers().get(RETRY_AFTER);
        boolean isNumber = retryAfter != null && retryAfter.matches("[0-9]{1,10}");
        return player.lost(
                closed.status().getCode(),
                reason(closed.status()),
                isNumber ? Long.parseLong(retryAfter) : 0,
                clockMs.getAsLong(),
                jitter.nextDouble());
    }

    /** Returns the reason why a call ended, in one line, from the server or from gRPC; empty if there is none. */
    private static String reason(Status status) {
        String description = Objects.requireNonNullElse(status.getDescription(), "");
        Throwable cause = status.getCause();
        while (cause != null && cause.getCause() != null) {
            cause = cause.getCause();
        }
        // With a cause, gRPC describes its own layers.
        return cause == null ? description : Objects.requireNonNullElse(cause.getMessage(), cause.toString());
    }

    /** Returns what makes TLS impossible here, after the first failure to connect; otherwise an empty text. */
    private String diagnosis(Happening.Closed closed) throws InterruptedException {
        boolean isFirst = !hasAnswered && !hasFailed;
        hasFailed = true;
        return isFirst ? Diagnosis.of(server, closed.status().getCause(), Diagnosis.LONGEST_MS) : "";
    }

    /** Returns the end of a sentence that names a variable with a proxy; empty if there is none. */
    static String unusedProxy(Map<String, String> environment) {
        return Stream.of("grpc_proxy", "https_proxy", "http_proxy", "all_proxy")
                .flatMap(name -> Stream.of(name, name.toUpperCase(Locale.ROOT)))
                .filter(name -> !environment.getOrDefault(name, "").isEmpty())
                .findFirst()
                .map(name -> "; the proxy in " + name + " is not used")
                .orElse("");
    }

    /** Plays over one connection, and returns its end, or the order by which the bot left. */
    private Happening playOnce() throws InterruptedException {
        PlayRequest hello = player.connect(clockMs.getAsLong());
        try (Connection connection = new Connection(server, loop, happenings, clockMs)) {
            if (player.keepsReceipts()) {
                connection.describe();
            } else {
                connection.play(hello);
            }
            while (true) {
                Happening happening = next(connection);
                hasAnswered |= happening instanceof Happening.Described || happening instanceof Happening.Arrived;
                if (happening instanceof Happening.Described described) {
                    player.learn(described.event());
                    connection.play(hello);
                } else if (happening instanceof Happening.Arrived arrived) {
                    connection.taken();
                    connection.send(player.receive(arrived.frame(), arrived.atMs()));
                } else if (happening == Happening.Order.RETIRE && player.isAlive()) {
                    connection.send(player.retire());
                    log.toldToStop();
                } else if (happening instanceof Happening.Answered) {
                    connection.send(player.answers());
                } else if (happening instanceof Happening.Order order) {
                    leave(connection);
                    return order;
                } else {
                    return happening;
                }
            }
        }
    }

    /** Waits for the next event. A server that said goodbye has limited time to end the stream. */
    private Happening next(Connection connection) throws InterruptedException {
        Happening next =
                player.isDismissed() ? happenings.poll(LONGEST_GOODBYE_MS, TimeUnit.MILLISECONDS) : happenings.take();
        if (next != null) {
            return next;
        }
        connection.cancel();
        do {
            next = happenings.take();
        } while (!(next instanceof Happening.Closed));
        return next;
    }

    private void leave(Connection connection) throws InterruptedException {
        if (player.isAlive()) {
            connection.send(player.leave("the bot was told to stop"));
        }
        connection.end();
        long untilMs = clockMs.getAsLong() + LONGEST_GOODBYE_MS;
        Happening happening;
        do {
            happening = poll(untilMs);
        } while (happening != null && !(happening instanceof Happening.Closed));
    }
}
