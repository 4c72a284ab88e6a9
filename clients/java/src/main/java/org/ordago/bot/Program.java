package org.ordago.bot;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The process of a bot, from its command line to its exit code. */
final class Program {
    static final int OK = 0;
    static final int BOT_FAILED = 1;
    static final int USAGE = 2;
    static final int SESSION_ENDED = 3;
    static final int INTERRUPTED = 130;
    /**
     * The time from the order to leave to the end of the process. A bot leaves at once, or after its current thought.
     */
    private static final long LONGEST_LEAVE_MS = 3_000;
    /** The logger of gRPC and Netty: their warnings would stand between the lines of the log. */
    private static final Logger LIBRARIES = Logger.getLogger("io.grpc");

    private Program() {}

    static void run(
            Function<Match, Bot> factory, String name, String version, List<String> arguments, List<String> games) {
        Output.holdClosedDescriptors();
        int code = BOT_FAILED;
        try (Output output = Output.standardError()) {
            code = main(factory, name, version, arguments, games, output);
        } finally {
            System.exit(code);
        }
    }

    private static int main(
            Function<Match, Bot> factory,
            String name,
            String version,
            List<String> arguments,
            List<String> games,
            Output output) {
        try {
            CommandLine line = CommandLine.parse(Utf8.arguments(arguments), Utf8.environment());
            if (line.given(Option.HELP).isPresent()) {
                return print(CommandLine.help());
            }
            if (line.given(Option.VERSION).isPresent()) {
                return print(versions(name, version));
            }
            return play(factory, Settings.of(line, name, version, games), output);
        } catch (UsageException wrong) {
            output.line(CommandLine.USAGE);
            output.line("error: " + Log.printable(wrong.getMessage()));
            return USAGE;
        } catch (Throwable failure) { // Whatever it is, the author has to see it, and the process has to end.
            output.trace(failure);
            return BOT_FAILED;
        }
    }

    private static int print(String text) {
        System.out.print(text);
        return OK;
    }

    private static String versions(String name, String version) {
        return (name + " " + version).strip() + " (" + (Player.SDK + " " + Player.version()).strip() + ")\n";
    }

    private static int play(Function<Match, Bot> factory, Settings settings, Output output)
            throws InterruptedException {
        LIBRARIES.setLevel(Level.OFF);
        boolean isLaunched = !Objects.requireNonNullElse(System.getenv("ORDAGO_LAUNCHED"), "")
                .isEmpty();
        BlockingQueue<Happening> happenings = new LinkedBlockingQueue<>();
        stopOnSignals(happenings, isLaunched);
        if (isLaunched) {
            daemon("standard input", Program::endWithStandardInput);
        }
        Log log = new Log(output::line, settings.verbose());
        LongSupplier clockMs = () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
        Player player = new Player(factory, settings.hello(), clockMs, new PlayerLog(log), settings.receipts());
        return new Transport(player, settings.server(), happenings, clockMs, new Random(), log).play();
    }

    /** Retires at the first signal and leaves at the second, or leaves at the first. */
    private static void stopOnSignals(BlockingQueue<Happening> happenings, boolean atOnce) {
        AtomicBoolean isTold = new AtomicBoolean();
        Happening.Order first = atOnce ? Happening.Order.LEAVE : Happening.Order.RETIRE;
        Runnable any = () -> order(happenings, isTold.getAndSet(true) ? Happening.Order.LEAVE : first);
        Runnable hangUp = () -> {
            if (!isTold.getAndSet(true)) {
                order(happenings, first);
            }
        };
        Signals.handle("INT", any);
        Signals.handle("TERM", any);
        // Both the shell and the kernel send it when a terminal closes, so it never counts as the second order.
        Signals.handle("HUP", hangUp);
    }

    private static void order(BlockingQueue<Happening> happenings, Happening.Order order) {
        happenings.add(order);
        if (order == Happening.Order.LEAVE) {
            daemon("leave", Program::endAtLast);
        }
    }

    /** Ends the process if it takes too long to leave, for instance because the bot thinks. */
    private static void endAtLast() {
        try {
            Thread.sleep(LONGEST_LEAVE_MS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(INTERRUPTED);
    }

    /** Ends the process when its runner ends, in whatever way. */
    private static void endWithStandardInput() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException error) {
            // That is its end, too.
        }
        Runtime.getRuntime().halt(SESSION_ENDED);
    }

    private static void daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }
}
