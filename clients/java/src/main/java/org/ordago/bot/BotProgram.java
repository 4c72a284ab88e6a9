package org.ordago.bot;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.logging.Logger;

/**
 * The main program of a bot. Each method returns a new one; {@link #run} plays:
 *
 * <pre>{@code
 * public static void main(String[] arguments) {
 *     System.exit(BotProgram.of("my-bot", "1.0", MyBot::new).games("mus").threads(4).run(arguments));
 * }
 * }</pre>
 */
public final class BotProgram {
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

    private final String name;
    private final String version;
    private final Function<Match, Bot> factory;
    private final List<String> games;
    private final int threads;
    private final Consumer<LogEvent> listener;

    private BotProgram(
            String name,
            String version,
            Function<Match, Bot> factory,
            List<String> games,
            int threads,
            Consumer<LogEvent> listener) {
        this.name = name;
        this.version = version;
        this.factory = factory;
        this.games = games;
        this.threads = threads;
        this.listener = listener;
    }

    /**
     * Returns the program of a bot that plays all games of a server, in one thread.
     *
     * @param name the name of the bot, unless its token or {@code --name} gives another
     * @param version the version of the bot, at most 64 characters; empty: unknown
     * @param factory makes a bot for each match
     */
    public static BotProgram of(String name, String version, Function<Match, Bot> factory) {
        return new BotProgram(name, version, factory, List.of(), 0, event -> {});
    }

    /** Plays these games alone, by their short names. */
    public BotProgram games(String... games) {
        return new BotProgram(name, version, factory, List.of(games), threads, listener);
    }

    /**
     * Lets so many matches think at once, each in a thread of its own; 0: one after the other. The methods of one bot
     * object are called one after the other in any case, and each sees what those before it wrote.
     */
    public BotProgram threads(int threads) {
        if (threads < 0) {
            throw new IllegalArgumentException("a bot cannot have " + threads + " threads");
        }
        return new BotProgram(name, version, factory, games, threads, listener);
    }

    /** Hands the events of the log to a listener, too, in the thread of {@link #run}. */
    public BotProgram log(Consumer<LogEvent> listener) {
        return new BotProgram(name, version, factory, games, threads, listener);
    }

    /**
     * Plays until the server says goodbye. It takes over the signals that tell a process to stop; a thread that is
     * interrupted leaves at once.
     *
     * @param arguments the command line; {@code --help} lists the options
     * @return the exit code for the process: 0 goodbye; 1 the bot failed; 2 the command line or the environment is
     *     wrong; 3 the session ended otherwise; 130 stopped by the user
     */
    public int run(String... arguments) {
        Output.holdClosedDescriptors();
        try (Output output = Output.standardError()) {
            return run(List.of(arguments), output);
        }
    }

    private int run(List<String> arguments, Output output) {
        try {
            CommandLine line = CommandLine.parse(Utf8.arguments(arguments), Utf8.environment());
            if (line.given(Option.HELP).isPresent()) {
                return print(CommandLine.help());
            }
            if (line.given(Option.VERSION).isPresent()) {
                return print(versions());
            }
            boolean isLaunched = line.variable("ORDAGO_LAUNCHED").isPresent();
            return play(Settings.of(line, name, version, games), isLaunched, output);
        } catch (UsageException wrong) {
            output.line(CommandLine.USAGE);
            output.line("error: " + LogEvent.printable(wrong.getMessage()));
            return USAGE;
        } catch (Throwable failure) { // Whatever it is, the author has to see it, and the process has to end.
            output.line(Log.trace(failure));
            return BOT_FAILED;
        }
    }

    private static int print(String text) {
        System.out.print(text);
        return OK;
    }

    private String versions() {
        return (name + " " + version).strip() + " (" + Player.SDK + " " + Player.VERSION + ")\n";
    }

    private int play(Settings settings, boolean isLaunched, Output output) {
        LIBRARIES.setLevel(java.util.logging.Level.OFF);
        Log log = new Log(event -> write(event, settings.logsJson(), output), settings.verbose());
        PlayerLog playerLog = new PlayerLog(log);
        int code = BOT_FAILED;
        try {
            code = play(settings, isLaunched, log, playerLog);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            code = INTERRUPTED;
        } catch (Bots.Failed failed) {
            output.line(Log.trace(failed.getCause())); // As text under any ORDAGO_LOG.
            output.line(LogEvent.printable(failed.getMessage())); // A runner shows the last line alone.
        } finally {
            playerLog.summary();
        }
        return code == OK && settings.strict() && !playerLog.isFlawless() ? BOT_FAILED : code;
    }

    private void write(LogEvent event, boolean asJson, Output output) {
        output.line(asJson ? event.json() : event.text());
        try {
            listener.accept(event);
        } catch (RuntimeException failure) { // Logging never ends a bot.
            output.line(Log.trace(failure));
        }
    }

    private int play(Settings settings, boolean isLaunched, Log log, PlayerLog playerLog) throws InterruptedException {
        BlockingQueue<Happening> happenings = new LinkedBlockingQueue<>();
        CountDownLatch isOver = new CountDownLatch(1);
        stopOnSignals(happenings, isLaunched, isOver);
        if (isLaunched) {
            daemon("standard input", BotProgram::endWithStandardInput).start();
        }
        ExecutorService pool = threads == 0 ? null : Executors.newFixedThreadPool(threads, task -> daemon("bot", task));
        Executor executor = pool == null ? Runnable::run : announcing(pool, happenings);
        Bots bots = new Bots(factory, executor, settings.stopsOnError());
        DecisionLog decisions = new DecisionLog(settings.decisions(), log);
        Player player = new Player(bots, settings.hello(), Match.CLOCK_MS, playerLog, decisions, settings.receipts());
        try {
            return new Transport(player, settings.server(), happenings, Match.CLOCK_MS, new Random(), playerLog).play();
        } finally {
            isOver.countDown();
            if (pool != null) {
                pool.shutdownNow();
            }
        }
    }

    /** Returns an executor that says after each task that it is done. */
    private static Executor announcing(Executor executor, BlockingQueue<Happening> happenings) {
        return task -> executor.execute(() -> {
            task.run();
            happenings.add(new Happening.Answered());
        });
    }

    /** Retires at the first signal and leaves at the second, or leaves at the first. */
    private static void stopOnSignals(BlockingQueue<Happening> happenings, boolean atOnce, CountDownLatch isOver) {
        AtomicBoolean isTold = new AtomicBoolean();
        Happening.Order first = atOnce ? Happening.Order.LEAVE : Happening.Order.RETIRE;
        Runnable any = () -> order(happenings, isTold.getAndSet(true) ? Happening.Order.LEAVE : first, isOver);
        Runnable hangUp = () -> {
            if (!isTold.getAndSet(true)) {
                order(happenings, first, isOver);
            }
        };
        Signals.handle("INT", any);
        Signals.handle("TERM", any);
        // Both the shell and the kernel send it when a terminal closes, so it never counts as the second order.
        Signals.handle("HUP", hangUp);
    }

    private static void order(BlockingQueue<Happening> happenings, Happening.Order order, CountDownLatch isOver) {
        happenings.add(order);
        if (order == Happening.Order.LEAVE) {
            daemon("leave", () -> endAtLast(isOver)).start();
        }
    }

    /** Ends the process if it takes too long to leave, for instance because the bot thinks. */
    private static void endAtLast(CountDownLatch isOver) {
        try {
            if (isOver.await(LONGEST_LEAVE_MS, TimeUnit.MILLISECONDS)) {
                return;
            }
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

    private static Thread daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
