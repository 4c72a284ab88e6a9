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

/** The process of a bot, from its command line to its exit code. */
final class Program {
    static final int OK = 0;
    static final int BOT_FAILED = 1;
    static final int USAGE = 2;
    static final int SESSION_ENDED = 3;
    static final int INTERRUPTED = 130;
    /** How long a bot may take to leave that was told to: it does so at once, or when it has thought. */
    private static final long LONGEST_LEAVE_MS = 3_000;

    private Program() {}

    static void run(
            Function<Match, Bot> factory, String name, String version, List<String> arguments, List<String> games) {
        int code = BOT_FAILED;
        try {
            CommandLine line = CommandLine.parse(Utf8.arguments(arguments), Utf8.environment());
            if (line.given(Option.HELP).isPresent()) {
                code = print(CommandLine.help());
            } else if (line.given(Option.VERSION).isPresent()) {
                code = print(versions(name, version));
            } else {
                code = play(factory, Settings.of(line, name, version, games));
            }
        } catch (UsageException wrong) {
            System.err.print(CommandLine.usage());
            System.err.println("error: " + Log.printable(wrong.getMessage()));
            code = USAGE;
        } catch (Throwable failure) { // Whatever it is, its author wants to see it, and nothing else may go on.
            failure.printStackTrace();
        } finally {
            System.exit(code);
        }
    }

    private static int print(String text) {
        System.out.print(text);
        return OK;
    }

    private static String versions(String name, String version) {
        return (name + " " + version).strip() + ", " + Player.SDK + " " + Player.version() + "\n";
    }

    private static int play(Function<Match, Bot> factory, Settings settings) throws InterruptedException {
        boolean isLaunched = !Objects.requireNonNullElse(System.getenv("ORDAGO_LAUNCHED"), "")
                .isEmpty();
        BlockingQueue<Happening> happenings = new LinkedBlockingQueue<>();
        stopOnSignals(happenings, isLaunched);
        if (isLaunched) {
            daemon("standard input", Program::endWithStandardInput);
        }
        Log log = new Log(System.err::println, settings.verbose());
        LongSupplier clockMs = () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
        Player player = new Player(factory, settings.hello(), clockMs, new Words(log), settings.receipts());
        return new Transport(player, settings.server(), happenings, clockMs, new Random(), log).play();
    }

    /** Lets the first signal tell the bot to retire, and the second to leave, or the first already. */
    private static void stopOnSignals(BlockingQueue<Happening> happenings, boolean atOnce) {
        AtomicBoolean isTold = new AtomicBoolean(atOnce);
        Signals.handle(List.of("INT", "TERM"), () -> {
            if (isTold.getAndSet(true)) {
                happenings.add(Happening.Order.LEAVE);
                daemon("leave", Program::endAtLast);
            } else {
                happenings.add(Happening.Order.RETIRE);
            }
        });
    }

    /** Ends the process if it takes too long to leave, for instance since the bot thinks. */
    private static void endAtLast() {
        try {
            Thread.sleep(LONGEST_LEAVE_MS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(INTERRUPTED);
    }

    /** Ends the process when the one that started it ends, however that happens. */
    private static void endWithStandardInput() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException error) {
            // It cannot be read any more: that is its end, too.
        }
        Runtime.getRuntime().halt(SESSION_ENDED);
    }

    private static void daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }
}
