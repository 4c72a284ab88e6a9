package org.ordago.bot;

import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.ordago.v1.PlayRequest;

/** The wire under a player: one stream, taken up again when it breaks, until the player is over or told to leave. */
final class Transport {
    private static final Metadata.Key<String> RETRY_AFTER = Server.key("retry-after-ms");
    /** How long a Goodbye may take to get through. */
    private static final long PARTING_MS = 1_000;

    private final Player player;
    private final Server server;
    private final BlockingQueue<Happening> happenings;
    private final LongSupplier clockMs;
    private final RandomGenerator jitter;
    private final Log log;
    private final EventLoopGroup loop =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("ordago", true), NioIoHandler.newFactory());

    /**
     * Prepares to play.
     *
     * @param happenings where to learn that the bot is told to stop
     * @param jitter decides how much not all bots come back at the same time
     */
    Transport(
            Player player,
            Server server,
            BlockingQueue<Happening> happenings,
            LongSupplier clockMs,
            RandomGenerator jitter,
            Log log) {
        this.player = player;
        this.server = server;
        this.happenings = happenings;
        this.clockMs = clockMs;
        this.jitter = jitter;
        this.log = log;
    }

    /** Plays until there is nothing more to play, and returns the exit code. */
    int play() throws InterruptedException {
        while (true) {
            if (!(playOnce() instanceof Happening.Closed closed)) {
                return Program.INTERRUPTED;
            }
            Next next = lost(closed);
            if (next instanceof Next.Over over) {
                return tell(over);
            }
            long pauseMs = ((Next.Pause) next).ms();
            log.info("the connection broke (" + reason(closed.status()) + "); trying again in " + pauseMs + " ms");
            if (happenings.poll(pauseMs, TimeUnit.MILLISECONDS) != null) {
                return Program.INTERRUPTED;
            }
        }
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

    /** Returns why a call ended, in one line: in words of the server, or of whatever went wrong before it. */
    private static String reason(Status status) {
        String told = status.getDescription() == null ? status.getCode().name() : status.getDescription();
        Throwable cause = status.getCause();
        while (cause != null && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause == null ? told : told.lines().findFirst().orElse("") + ": " + cause.getMessage();
    }

    private int tell(Next.Over over) {
        if (over.exitCode() == Program.OK) {
            log.info("the server said goodbye: " + over.sentence());
        } else {
            log.error("the server at " + server.address().text() + " " + over.sentence());
        }
        return over.exitCode();
    }

    /** Plays over one connection. Returns how it closed, or the order by which the bot left. */
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
                if (happening instanceof Happening.Described described) {
                    player.learn(described.event());
                    connection.play(hello);
                } else if (happening instanceof Happening.Arrived arrived) {
                    connection.taken();
                    connection.send(player.receive(arrived.frame(), arrived.atMs()));
                } else if (happening == Happening.Order.RETIRE && player.isAlive()) {
                    connection.send(player.retire());
                    log.info("told to stop: running matches are played to their end; once more to leave at once");
                } else if (happening instanceof Happening.Order order) {
                    leave(connection);
                    return order;
                } else {
                    return happening;
                }
            }
        }
    }

    /** Waits for what happens next. A server that said goodbye is not waited for for ever. */
    private Happening next(Connection connection) throws InterruptedException {
        Happening next = player.isDismissed() ? happenings.poll(PARTING_MS, TimeUnit.MILLISECONDS) : happenings.take();
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
        long untilMs = clockMs.getAsLong() + PARTING_MS;
        Happening happening;
        do {
            happening = happenings.poll(untilMs - clockMs.getAsLong(), TimeUnit.MILLISECONDS);
        } while (happening != null && !(happening instanceof Happening.Closed));
    }
}
