package dev.wishdir.game;

import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.ResolvedHost;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.wire.AddressText;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A configured server list at which an endpoint registers. An endpoint that only this machine
 * reaches registers only at lists of this machine. A name is resolved again every 5 minutes, the
 * interval of heartbeats: lists of Quake III drop a server 15 minutes after its last one, so that
 * an hour at an old address would take the server off a list that has moved. Used only by the
 * cycle's thread.
 */
public final class MasterServer {
    /** The option of each game, without its prefix. */
    public static final String OPTION = "master";

    private static final Logger LOG = LoggerFactory.getLogger(MasterServer.class);

    private final ResolvedHost host;
    private boolean isSkipped;

    /** The address from which it answered last. */
    private Optional<InetSocketAddress> answered = Optional.empty();

    public MasterServer(ResolvedHost host) {
        this.host = host;
    }

    /**
     * Parses the value of the option.
     *
     * @param configured {@code HOST[:PORT]}, separated by commas; may be empty
     * @throws IllegalArgumentException for any other form; the message begins with the option, and
     *     names all that are wrong
     */
    public static List<MasterServer> parse(String configured, int defaultPort) {
        List<MasterServer> masters = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (String name : configured.split(",")) {
            if (!name.isBlank()) {
                try {
                    masters.add(
                            new MasterServer(
                                    ResolvedHost.parse("option " + OPTION, name, defaultPort)));
                } catch (IllegalArgumentException e) {
                    problems.add(String.valueOf(e.getMessage()));
                }
            }
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
        return List.copyOf(masters);
    }

    /** The same master servers, whose log lines name the option of a game. */
    public static List<MasterServer> parse(String game, String configured, int defaultPort) {
        return parse(configured, defaultPort).stream()
                .map(master -> new MasterServer(master.host.loggedAs("--" + game + "-" + OPTION)))
                .toList();
    }

    /** Its address, or its configured name until that is resolved. */
    public String text() {
        return host.address().map(AddressText::of).orElseGet(host::text);
    }

    /**
     * Why the endpoint can't register there now; empty if it can.
     *
     * @param local address of the endpoint
     */
    public Optional<String> obstacle(InetAddress local) {
        if (host.address().isEmpty()) {
            return Optional.of("its name is not resolved");
        }
        return host.address()
                .filter(address -> !isAllowed(local, address))
                .map(_ -> skipped(local));
    }

    /**
     * Its line in the answer to {@code status}.
     *
     * @param local address of the endpoint
     * @param contact what is known of it, if the endpoint can register there
     */
    public String status(String game, InetAddress local, String contact) {
        return "master server of " + game + ", " + text() + ": " + obstacle(local).orElse(contact);
    }

    /** Its line in the answer to {@code status}, if it is known to the endpoint by its answers. */
    public String status(String game, InetAddress local) {
        boolean isAnswering = answered.isPresent() && answered.equals(host.address());
        return status(game, local, isAnswering ? "answered" : "has not answered");
    }

    /**
     * Records an answer, and logs the first one, if it comes from a master server.
     *
     * @return whether it does
     */
    public static boolean recordAnswer(
            List<MasterServer> masters, String game, InetAddress local, InetSocketAddress from) {
        Optional<MasterServer> sender =
                masters.stream()
                        .filter(master -> master.address(local).filter(from::equals).isPresent())
                        .findFirst();
        sender.filter(master -> !master.answered.equals(Optional.of(from)))
                .ifPresent(master -> {
                    master.answered = Optional.of(from);
                    LOG.atInfo()
                            .addKeyValue("event", "master")
                            .log("{}: master server {} answered", game, AddressText.of(from));
                });
        return sender.isPresent();
    }

    private static String skipped(InetAddress local) {
        return "skipped: the server listens on "
                + AddressText.of(local)
                + ", which no other machine can reach";
    }

    private static boolean isAllowed(InetAddress local, InetSocketAddress address) {
        return !local.isLoopbackAddress() || address.getAddress().isLoopbackAddress();
    }

    /**
     * The address to register at; empty until it is known, and if it may not be used.
     *
     * @param local address of the endpoint
     */
    public Optional<InetSocketAddress> address(InetAddress local) {
        return host.address().filter(address -> mayUse(local, address));
    }

    private boolean mayUse(InetAddress local, InetSocketAddress address) {
        boolean allowed = isAllowed(local, address);
        if (!allowed && !isSkipped) {
            isSkipped = true;
            LOG.atWarn()
                    .addKeyValue("event", "master")
                    .log("master server {} {}", AddressText.of(address), skipped(local));
        }
        return allowed;
    }

    /**
     * Resolves the name again when it is due.
     *
     * @param onAddress takes each new address that may be used
     */
    public void advance(DutyCycle cycle, InetAddress local, Consumer<InetSocketAddress> onAddress) {
        host.advance(cycle, _ -> address(local).ifPresent(onAddress));
    }

    /** Sends a datagram to all master servers whose address is known. */
    public static void send(List<MasterServer> masters, UdpSocket socket, byte[] datagram) {
        for (MasterServer master : masters) {
            master.address(socket.local().getAddress())
                    .ifPresent(to -> socket.send(to, datagram, 0, datagram.length));
        }
    }
}
