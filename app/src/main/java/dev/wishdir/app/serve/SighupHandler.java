package dev.wishdir.app.serve;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Handles SIGHUP, with which an operator or logrotate asks a server to reload its settings and
 * reopen its files. If the terminal of the server was closed, SIGHUP ends it, as any program.
 *
 * <p>Uses {@code sun.misc.Signal} by reflection, as Java has no other API for signals and the
 * compiler warns of this one. Without it, or without SIGHUP as on Windows, nothing is handled.
 */
final class SighupHandler {
    private static final Path TERMINAL = Path.of("/dev/tty");

    private SighupHandler() {}

    /**
     * Handles the signal from now on.
     *
     * @param reload runs on a thread of the JVM, and must return soon
     * @param end runs instead if the terminal was closed
     */
    static void listen(Runnable reload, Runnable end) {
        boolean hasTerminal = hasTerminal();
        Runnable action =
                () -> {
                    if (hasTerminal && !hasTerminal()) {
                        end.run();
                    } else {
                        reload.run();
                    }
                };
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            InvocationHandler calls =
                    (_, method, arguments) -> {
                        if (!method.getName().equals("handle")) {
                            return method.invoke(action, arguments);
                        }
                        action.run();
                        return null;
                    };
            signal.getMethod("handle", signal, handler)
                    .invoke(
                            null,
                            signal.getConstructor(String.class).newInstance("HUP"),
                            Proxy.newProxyInstance(
                                    SighupHandler.class.getClassLoader(),
                                    new Class<?>[] {handler},
                                    calls));
        } catch (ReflectiveOperationException | RuntimeException _) {
            // The signal ends the process, which is its default action.
        }
    }

    private static boolean hasTerminal() {
        try (FileChannel _ = FileChannel.open(TERMINAL, StandardOpenOption.READ)) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
