package org.ordago.bot;

import java.lang.reflect.Proxy;
import java.util.List;

/**
 * Handles signals.
 *
 * <p>The one way in Java to hear a second signal is {@code sun.misc.Signal}: a shutdown hook begins with the first, and
 * ends the process. It is there in every Java, but in no interface that compilers approve of.
 */
final class Signals {
    private Signals() {}

    /** Runs a task at each signal of some names, for instance {@code INT}. */
    static void handle(List<String> names, Runnable task) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object proxy = Proxy.newProxyInstance(
                    handler.getClassLoader(), new Class<?>[] {handler}, (self, method, arguments) -> {
                        task.run();
                        return null;
                    });
            for (String name : names) {
                Object one = signal.getConstructor(String.class).newInstance(name);
                signal.getMethod("handle", signal, handler).invoke(null, one, proxy);
            }
        } catch (ReflectiveOperationException error) {
            throw new IllegalStateException("this Java cannot handle signals", error);
        }
    }
}
