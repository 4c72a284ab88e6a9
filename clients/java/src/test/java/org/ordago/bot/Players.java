package org.ordago.bot;

import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.ordago.v1.Hello;

/** Players for tests, whose bots think where frames arrive and stop the process if they fail. */
final class Players {
    static final Function<Match, Bot> DEFAULT = match -> decision -> decision.getDefaultAnswer();

    private Players() {}

    static Player of(Hello wishes, LongSupplier clockMs, Log log, Receipts receipts) {
        return of(new Bots(DEFAULT, Runnable::run, true), wishes, clockMs, log, receipts);
    }

    static Player of(Function<Match, Bot> factory, Executor executor, LongSupplier clockMs, Log log) {
        Bots bots = new Bots(factory, executor, false);
        return of(bots, Hello.getDefaultInstance(), clockMs, log, Receipts.NONE);
    }

    private static Player of(Bots bots, Hello wishes, LongSupplier clockMs, Log log, Receipts receipts) {
        return new Player(bots, wishes, clockMs, new PlayerLog(log), new DecisionLog(null, log), receipts);
    }
}
