package dev.wishdir.app.doctor;

import dev.wishdir.app.cluster.ClusterSettings;
import dev.wishdir.app.cluster.NatsProbe;
import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.HostPort;
import dev.wishdir.app.machine.Machine;
import dev.wishdir.app.machine.OpenPort;
import dev.wishdir.app.serve.ServePlan.ServedGame;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.game.Game;
import dev.wishdir.game.MasterServer;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.wire.AddressText;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The checks of {@code doctor}, one for each common problem of a new installation. */
final class Doctor {
    /** The result of a check. */
    enum State {
        OK,
        /** The check was not possible. */
        UNKNOWN,
        /** A server runs, but not as well as it could. */
        WARNING,
        /** Something that a server needs does not work. */
        BAD;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The result of one check, with advice in the text if it is not OK. */
    record Finding(String check, State state, String text) {}

    private static final int MIN_JAVA_VERSION = 25;

    /** The socket buffer that a server requests from the kernel; see {@code NettyLoop}. */
    private static final long WANTED_BUFFER_BYTES = 4 << 20;

    /** The release of Java 25: an earlier clock is wrong. */
    private static final Instant MIN_TIME = Instant.parse("2025-09-16T00:00:00Z");

    /** Global unicast addresses of IPv6. */
    private static final AddressRange GLOBAL_IPV6 = AddressRange.parse("2000::/3");

    /**
     * Addresses that cannot be reached from the Internet, besides those of {@link
     * HostPort#isPrivate}: IANA's registries of special-purpose addresses (RFC 6890), multicast.
     */
    private static final List<AddressRange> UNREACHABLE =
            Stream.of(
                            "0.0.0.0/8",
                            "100.64.0.0/10",
                            "192.0.0.0/24",
                            "192.0.2.0/24",
                            "192.88.99.0/24",
                            "198.18.0.0/15",
                            "198.51.100.0/24",
                            "203.0.113.0/24",
                            "224.0.0.0/3",
                            "2001::/23",
                            "2001:db8::/32",
                            "2002::/16",
                            "3fff::/20")
                    .map(AddressRange::parse)
                    .toList();

    private static final Path SYSCTL = Path.of("/proc/sys/net/core");

    private final Machine machine;
    private final List<ServedGame> games;
    private final Optional<InetSocketAddress> web;
    private Optional<Machine.Owner> server = Optional.empty();

    /**
     * @param games that the server plays
     * @param web the address of its pages; empty if off
     */
    Doctor(Machine machine, List<ServedGame> games, Optional<InetSocketAddress> web) {
        this.machine = machine;
        this.games = games;
        this.web = web;
    }

    /** Runs all checks. */
    List<Finding> checkAll() {
        List<Finding> findings = new ArrayList<>(List.of(java(), sockets(), clock()));
        findings.addAll(buffers());
        ports().forEach(port -> findings.add(port(port)));
        web.ifPresent(at -> findings.add(port(new Port("the live map", true, at, "--web", false))));
        machine.addresses().forEach(address -> findings.add(echo(address)));
        findings.add(firewall());
        findings.addAll(data());
        return findings;
    }

    /**
     * A port that a server opens.
     *
     * @param option that sets it
     * @param isListed whether master servers list it
     */
    private record Port(
            String what, boolean tcp, InetSocketAddress at, String option, boolean isListed) {
        int number() {
            return at.getPort();
        }

        String name() {
            return (tcp ? "TCP " : "UDP ") + number();
        }
    }

    /** The games' ports, and then their second ones; none that the system chooses. */
    private List<Port> ports() {
        List<Port> ports = new ArrayList<>();
        List<ServedGame> fixed = games.stream().filter(it -> it.address().getPort() > 0).toList();
        fixed.forEach(it -> ports.add(port(it, it.game().title(), false, 0)));
        for (ServedGame it : fixed) {
            for (Game.Port port : it.game().ports()) {
                ports.add(port(it, port.purpose(), port.isTcp(), port.offset()));
            }
        }
        return ports;
    }

    private static Port port(ServedGame of, String what, boolean tcp, int offset) {
        InetSocketAddress at = of.address();
        return new Port(
                what,
                tcp,
                new InetSocketAddress(at.getAddress(), at.getPort() + offset),
                "--" + of.game().name(),
                isListed(of.game()));
    }

    /** A server of Wishdir that uses the games' ports already, as the checks found it. */
    Optional<Machine.Owner> server() {
        return server;
    }

    /** Checks the data folders of the games; skips games without one. */
    private List<Finding> data() {
        List<Finding> findings =
                games.stream()
                        .filter(it -> takesData(it.game()))
                        .flatMap(game -> data(game).stream())
                        .toList();
        return findings.isEmpty()
                ? List.of(
                        new Finding(
                                "data",
                                State.OK,
                                "no maps of the games found; only --map and --arena map:NAME need"
                                        + " them; doctor --data GAME=DIR checks another folder"))
                : findings;
    }

    /** Checks whether a file is an arena of this release. */
    Finding arena(Path file) {
        try {
            return new Finding("arena", State.OK, file + ", " + ArenaCatalog.read(file).title());
        } catch (IOException e) {
            return new Finding("arena", State.BAD, String.valueOf(e.getMessage()));
        }
    }

    /** Checks the connection to the other servers of one arena. */
    static List<Finding> cluster(ClusterSettings settings) {
        try {
            return NatsProbe.look(settings).stream()
                    .map(line -> new Finding("cluster", State.OK, line))
                    .toList();
        } catch (CommandFailedException e) {
            return List.of(new Finding("cluster", State.BAD, String.valueOf(e.getMessage())));
        }
    }

    private Finding java() {
        int java = machine.java();
        return java >= MIN_JAVA_VERSION
                ? new Finding("java", State.OK, "Java " + java)
                : new Finding(
                        "java",
                        State.BAD,
                        "Java "
                                + java
                                + ": install JDK "
                                + MIN_JAVA_VERSION
                                + ", or set WISHDIR_JAVA_HOME to its folder");
    }

    private Finding sockets() {
        return machine.slowSockets()
                .map(why ->
                        new Finding(
                                "sockets",
                                State.WARNING,
                                "Java's own sockets instead of Linux's epoll: " + why))
                .orElseGet(() -> new Finding("sockets", State.OK, "Linux's epoll"));
    }

    private Finding clock() {
        Instant now = machine.now();
        if (now.isBefore(MIN_TIME)) {
            return new Finding(
                    "clock",
                    State.BAD,
                    now
                            + " is before the release of Java 25: players' certificates will not"
                            + " be valid; set the clock");
        }
        String synced =
                machine.run("timedatectl", "show", "--property=NTPSynchronized", "--value")
                        .map(String::strip)
                        .orElse("");
        return switch (synced) {
            case "yes" -> new Finding("clock", State.OK, now + ", synchronized");
            case "no" ->
                    new Finding(
                            "clock",
                            State.WARNING,
                            now + ", not synchronized: " + asRoot("timedatectl set-ntp true"));
            default ->
                    new Finding(
                            "clock",
                            State.UNKNOWN,
                            now
                                    + "; unknown whether it is synchronized: timedatectl "
                                    + (machine.isInstalled("timedatectl")
                                            ? "does not report it"
                                            : "is not installed"));
        };
    }

    private List<Finding> buffers() {
        return Stream.of("rmem_max", "wmem_max").map(this::buffer).toList();
    }

    private Finding buffer(String name) {
        Optional<Long> maximum =
                machine.read(SYSCTL.resolve(name))
                        .map(String::strip)
                        .filter(text -> text.matches("\\d{1,18}"))
                        .map(Long::parseLong);
        if (maximum.isEmpty()) {
            return new Finding(
                    "buffers",
                    State.UNKNOWN,
                    "the kernel's limit is unknown: cannot read " + SYSCTL.resolve(name));
        }
        long bytes = maximum.get();
        return bytes >= WANTED_BUFFER_BYTES
                ? new Finding("buffers", State.OK, "net.core." + name + " " + bytes)
                : new Finding(
                        "buffers",
                        State.WARNING,
                        "net.core."
                                + name
                                + " is "
                                + bytes
                                + ", too small for bursts of many players, whose packets are then"
                                + " lost: "
                                + asRoot("sysctl -w net.core." + name + "=" + WANTED_BUFFER_BYTES));
    }

    /** Advice to run a command that needs root. */
    private String asRoot(String command) {
        return (machine.isRoot() ? "" : "as root, ") + command;
    }

    private Finding port(Port port) {
        String name = port.name() + ", " + port.what();
        Optional<String> failure = machine.bind(port.tcp(), port.at());
        Optional<OpenPort> open =
                failure.flatMap(_ -> OpenPort.find(machine, port.tcp(), port.number()));
        Optional<Machine.Owner> owner = open.flatMap(it -> machine.owner(it.inode()));
        Optional<Machine.Owner> running = owner.filter(Machine.Owner::isServer);
        if (running.isPresent()) {
            server = running;
            return new Finding("port", State.OK, name + ": open in " + running.get());
        }
        String problem =
                open.map(it ->
                                "in use by "
                                        + text(it, owner)
                                        + "; stop it, set another port with "
                                        + port.option()
                                        + ", or, if it is a client, start it after the server")
                        .or(() ->
                                failure.map(why ->
                                        why
                                                + "; set another address or port with "
                                                + port.option()))
                        .orElse("");
        return problem.isEmpty()
                ? new Finding("port", State.OK, name + ": free")
                : new Finding("port", State.BAD, name + ": " + problem);
    }

    /** The process that uses a port, as far as the kernel shows it. */
    private String text(OpenPort open, Optional<Machine.Owner> owner) {
        return owner.map(Machine.Owner::toString)
                .orElse(
                        "a process of user "
                                + open.user()
                                + " that is not visible"
                                + (machine.isRoot()
                                        ? ", as in a container"
                                        : "; run doctor as root"));
    }

    private Finding echo(InetAddress address) {
        String text = AddressText.of(address);
        return machine.echo(address)
                .map(why ->
                        new Finding(
                                "udp",
                                State.WARNING,
                                text
                                        + " does not receive its own UDP packets: "
                                        + why
                                        + "; check the firewall"))
                .orElseGet(
                        () -> new Finding("udp", State.OK, text + " receives its own UDP packets"));
    }

    /**
     * Checks for an address under which master servers can list this machine. What is in front of
     * it can't be seen from here.
     */
    Finding publicAddress() {
        List<Port> listed = ports().stream().filter(Port::isListed).toList();
        List<InetAddress> reachable =
                machine.addresses().stream().filter(Doctor::isPublic).toList();
        List<String> v4 = texts(reachable, Inet4Address.class);
        List<String> v6 = texts(reachable, Inet6Address.class);
        String lists =
                games.stream()
                        .map(ServedGame::game)
                        .filter(Game::isListedByIpv6)
                        .map(Game::title)
                        .collect(Collectors.joining(" and "));
        String ipv6 =
                v6.isEmpty() || lists.isEmpty()
                        ? ""
                        : String.join(" or ", v6) + " only in the list of " + lists + "; ";
        if (v4.isEmpty()) {
            return new Finding(
                    "public",
                    State.WARNING,
                    ipv6
                            + "this machine has only private IPv4 addresses: a master server lists"
                            + " the router in front of it, which must pass "
                            + names(listed)
                            + " on to this machine, under the same numbers");
        }
        return new Finding(
                "public",
                State.OK,
                "master servers can list "
                        + String.join(" or ", v4)
                        + (ipv6.isEmpty() ? "; " : ", and " + ipv6)
                        + "whether a firewall in front of it passes "
                        + names(listed)
                        + " is not known here");
    }

    private static boolean isPublic(InetAddress address) {
        return !HostPort.isPrivate(address)
                && (address instanceof Inet4Address || GLOBAL_IPV6.contains(address))
                && UNREACHABLE.stream().noneMatch(range -> range.contains(address));
    }

    private static boolean isListed(Game game) {
        return game.options().stream()
                .anyMatch(option -> option.name().equals(MasterServer.OPTION));
    }

    private static List<String> texts(
            List<InetAddress> addresses, Class<? extends InetAddress> family) {
        return addresses.stream().filter(family::isInstance).map(AddressText::of).toList();
    }

    private static String names(List<Port> ports) {
        return String.join(", ", ports.stream().map(Port::name).toList());
    }

    /** Checks the firewall's rules; unknown if they cannot be read. */
    private Finding firewall() {
        Optional<String> nft = machine.run("nft", "list", "ruleset");
        Optional<String> iptables = machine.run("iptables", "-S", "INPUT");
        if (nft.isEmpty() && iptables.isEmpty()) {
            return new Finding("firewall", State.UNKNOWN, "unknown: " + unreadableReason());
        }
        String rules = nft.orElse("") + iptables.orElse("");
        boolean drops =
                rules.contains("policy drop")
                        || rules.contains("-P INPUT DROP")
                        || rules.contains("reject")
                        || rules.contains("-j REJECT");
        List<Port> closed =
                ports().stream()
                        .filter(port -> !rules.contains(String.valueOf(port.number())))
                        .toList();
        if (!drops) {
            return new Finding(
                    "firewall",
                    State.OK,
                    "this machine's firewall accepts by default; firewalls in front of it are not"
                            + " checked");
        }
        if (closed.isEmpty()) {
            return new Finding("firewall", State.OK, "its rules name the games' ports");
        }
        return new Finding(
                "firewall",
                State.WARNING,
                "its rules do not name " + names(closed) + ": allow these ports");
    }

    private String unreadableReason() {
        List<String> installed = Stream.of("nft", "iptables").filter(machine::isInstalled).toList();
        if (installed.isEmpty()) {
            return "neither nft nor iptables is installed";
        }
        return String.join(" and ", installed)
                + (machine.isRoot()
                        ? " cannot be run here, as in a container"
                        : " can only be run by root");
    }

    private static boolean takesData(Game game) {
        return !game.stockMaps().isEmpty()
                && game.options().stream().anyMatch(option -> option.name().equals("data"));
    }

    private Optional<Finding> data(ServedGame served) {
        Game game = served.game();
        List<String> maps = new ArrayList<>();
        try {
            for (String map : game.stockMaps()) {
                if (game.mapFile(map, served.options()).isPresent()) {
                    maps.add(map);
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            return Optional.of(
                    new Finding("data", State.BAD, game.title() + ": " + e.getMessage()));
        }
        if (maps.isEmpty()) {
            return !served.options().containsKey("data")
                    ? Optional.empty()
                    : Optional.of(
                            new Finding(
                                    "data",
                                    State.WARNING,
                                    game.title()
                                            + ": no stock map found in "
                                            + served.options().get("data")));
        }
        return Optional.of(
                new Finding(
                        "data",
                        State.OK,
                        game.title() + ": stock maps found: " + String.join(", ", maps)));
    }

    /** The address of a game; that of the running server, if one has the port. */
    private InetAddress bound(ServedGame served) {
        InetAddress own = served.address().getAddress();
        return server.isPresent() && own.isAnyLocalAddress()
                ? OpenPort.find(machine, false, served.address().getPort())
                        .map(OpenPort::address)
                        .orElse(own)
                : own;
    }

    /** Input by which a player joins, for each game. */
    List<Finding> joinInstructions() {
        String host =
                machine.addresses().stream()
                        .filter(address ->
                                !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                        .min((a, b) ->
                                Boolean.compare(
                                        a instanceof Inet6Address, b instanceof Inet6Address))
                        .map(AddressText::of)
                        .orElse("127.0.0.1");
        return games.stream()
                .map(it -> {
                    InetAddress own = bound(it);
                    String at = own.isAnyLocalAddress() ? host : AddressText.of(own);
                    String how = it.game().joinInstruction(at, it.address().getPort());
                    return new Finding("join", State.OK, it.game().title() + ": " + how);
                })
                .toList();
    }
}
