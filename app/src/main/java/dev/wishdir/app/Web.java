package dev.wishdir.app;

import dev.wishdir.net.PortException;
import dev.wishdir.web.Page;
import dev.wishdir.web.WebHosts;
import dev.wishdir.web.WebServer;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.TypeConversionException;

import java.util.ArrayList;
import java.util.List;

/** The pages where {@code --web} says. */
final class Web {
    /** Where the pages are if only a port is typed. */
    private static final String LOOPBACK = "127.0.0.1";

    private Web() {}

    /**
     * Opens the pages.
     *
     * @param where an address as typed, or {@code off}
     * @param names further names that they are asked for by
     * @return null if they are off
     * @throws CommandFailedException if the address is unknown or can't be bound
     */
    static @Nullable WebServer start(String where, List<String> names, List<Page> pages)
            throws CommandFailedException {
        if (where.equals("off")) {
            return null;
        }
        try {
            HostPort typed = HostPort.parse(where, LOOPBACK);
            List<String> served = new ArrayList<>(names);
            if (!typed.host().isEmpty()) {
                served.add(typed.host());
            }
            return WebServer.start(typed.resolve(WebServer.PORT), new WebHosts(served), pages);
        } catch (TypeConversionException e) {
            throw new CommandFailedException("--web: " + e.getMessage(), e);
        } catch (PortException e) {
            throw new CommandFailedException(PortProblem.text(new ThisMachine(), e, "--web"), e);
        }
    }
}
