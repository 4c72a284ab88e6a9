package org.ordago.bot;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * Signal handlers.
 *
 * <p>Only {@code sun.misc.Signal} tells a program of a second signal in Java: a shutdown hook begins with the first,
 * and ends the process. Every Java has it, but compilers warn of it, so it is called by reflection.
 */
final class Signals {
    private Signals() {}

    /**
     * Runs a task at each signal of a name, for instance {@code INT}. Java leaves a signal alone that was ignored when
     * the process began, as SIGHUP by {@code nohup}.
     */
    static void handle(String name, Runnable task) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object proxy = Proxy.newProxyInstance(
                    handler.getClassLoader(), new Class<?>[] {handler}, (self, method, arguments) -> {
                        task.run();
                        return null;
                    });
            Object one = signal.getConstructor(String.class).newInstance(name);
            signal.getMethod("handle", signal, handler).invoke(null, one, proxy);
        } catch (InvocationTargetException error) {
            // The system has no such signal, or Java was told to leave it alone (-Xrs): it ends the process.
        } catch (ReflectiveOperationException error) {
            throw new IllegalStateException("this Java cannot handle signals", error);
        }
    }
}
