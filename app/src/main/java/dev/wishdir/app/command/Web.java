package dev.wishdir.app.command;

import dev.wishdir.app.machine.PortProblem;
import dev.wishdir.app.machine.ThisMachine;
import dev.wishdir.game.GamePresentation;
import dev.wishdir.net.PortException;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.web.GameStyles;
import dev.wishdir.web.Page;
import dev.wishdir.web.WebHosts;
import dev.wishdir.web.WebServer;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.TypeConversionException;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** Starts the web server at the address of {@code --web}. */
public final class Web {
    /** The address if only a port is given. */
    private static final String LOOPBACK = "127.0.0.1";

    private Web() {}

    /** The style sheet with the colours and the names of weapons of all games. */
    public static Page styles() {
        return new GameStyles(
                Games.ALL.stream()
                        .map(game -> {
                            GamePresentation.Colours own = game.colours();
                            return new GameStyles.Style(
                                    game.name(),
                                    own.dark(),
                                    own.light(),
                                    own.body(),
                                    game.weaponNames());
                        })
                        .toList());
    }

    /** The address that a value of {@code --web} names, which is not {@code off}. */
    public static InetSocketAddress address(String where) throws CommandFailedException {
        return HostPort.parse(where, LOOPBACK).resolve(WebServer.PORT);
    }

    /**
     * Starts the web server.
     *
     * @param where the value of {@code --web}, an address or {@code off}
     * @param names further host names under which browsers may request the pages
     * @return null if it is off
     * @throws CommandFailedException if the address is unknown or cannot be bound
     */
    public static @Nullable WebServer start(String where, List<String> names, List<Page> pages)
            throws CommandFailedException {
        return start(where, names, List.of(), pages);
    }

    /**
     * Starts the web server behind reverse proxies.
     *
     * @param where the value of {@code --web}, an address or {@code off}
     * @param names further host names under which browsers may request the pages
     * @param trusted reverse proxies on other machines
     * @return null if it is off
     * @throws CommandFailedException if the address is unknown or cannot be bound
     */
    public static @Nullable WebServer start(
            String where, List<String> names, List<AddressRange> trusted, List<Page> pages)
            throws CommandFailedException {
        if (where.equals("off")) {
            return null;
        }
        try {
            HostPort typed = HostPort.parse(where, LOOPBACK);
            List<String> bound = typed.host().isEmpty() ? List.of() : List.of(typed.host());
            WebHosts hosts = new WebHosts(names, bound, trusted);
            List<Page> all = new ArrayList<>(pages);
            all.add(styles());
            return WebServer.start(typed.resolve(WebServer.PORT), hosts, all);
        } catch (TypeConversionException e) {
            throw new CommandFailedException("--web: " + e.getMessage(), e);
        } catch (PortException e) {
            throw new CommandFailedException(PortProblem.text(new ThisMachine(), e, "--web"), e);
        }
    }
}
