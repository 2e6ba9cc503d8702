package dev.wishdir.app;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * SIGHUP: an operator, or what rotates logs, asks a server to read its settings and open its files
 * again. Where the terminal of a server was closed it means the end, as for any program.
 *
 * <p>Java has no API for signals but {@code sun.misc.Signal}, of which the compiler warns; where it
 * is missing, as is SIGHUP on Windows, nothing is caught.
 */
final class SighupHandler {
    private static final Path TERMINAL = Path.of("/dev/tty");

    private SighupHandler() {}

    /**
     * Catches the signal from now on.
     *
     * @param reload runs on a thread of the Java machine's, and must return soon
     * @param end the same, where the terminal is gone
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
            // The signal ends the process, as it does where nothing catches it.
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
