package dev.wishdir.app;

import dev.wishdir.net.PortException;
import dev.wishdir.web.Page;
import dev.wishdir.web.WebHosts;
import dev.wishdir.web.WebServer;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.TypeConversionException;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** The pages where {@code --web} says. */
final class Web {
    private Web() {}

    /**
     * Opens the pages.
     *
     * @param where an address as typed, or {@code off}
     * @param names further names that they are asked for by
     * @return null if they are off
     * @throws Failure if the address is unknown or can't be bound
     */
    static @Nullable WebServer start(String where, List<String> names, List<Page> pages)
            throws Failure {
        if (where.equals("off")) {
            return null;
        }
        @Nullable InetSocketAddress address = null;
        try {
            Address typed = Address.parse(where);
            List<String> served = new ArrayList<>(names);
            if (!typed.host().isEmpty()) {
                served.add(typed.host());
            }
            address = typed.resolve(WebServer.PORT);
            return WebServer.start(address, new WebHosts(served), pages);
        } catch (TypeConversionException e) {
            throw new Failure("--web: " + e.getMessage(), e);
        } catch (IOException e) {
            // Jetty's own text names neither the process nor the option.
            boolean inUse = String.valueOf(e.getMessage()).contains("already in use");
            IOException failure =
                    inUse && address != null
                            ? new PortException(
                                    true, address, new BindException("address already in use"))
                            : e;
            throw new Failure(PortProblem.text(new ThisMachine(), failure, "--web"), e);
        }
    }
}
