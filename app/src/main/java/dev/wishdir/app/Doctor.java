package dev.wishdir.app;

import dev.wishdir.game.Game;
import dev.wishdir.wire.AddressText;
import dev.wishdir.world.blocks.ArenaCatalog;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The checks of {@code doctor}: each looks at one thing that newcomers stumble over. */
final class Doctor {
    /** How bad something is. */
    enum State {
        OK,
        /** It could not be found out. */
        UNKNOWN,
        /** A server runs, but worse than it could. */
        WARNING,
        /** Something that a server needs does not work. */
        BAD;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What was found of one thing, and what to do where it is not well. */
    record Finding(String check, State state, String text) {}

    private static final int JAVA = 25;

    /** What a server asks the kernel for, bytes; see {@code NettyLoop}. */
    private static final long BUFFER = 4 << 20;

    /** No Java 25 is older than this, so a clock that says so is wrong. */
    private static final Instant OLDEST = Instant.parse("2025-09-16T00:00:00Z");

    private static final Path SYSCTL = Path.of("/proc/sys/net/core");

    /** Maps that come with the games, by which it is seen what an operator has. */
    private static final Map<String, List<String>> STOCK =
            Map.of(
                    "quake2", numbered("q2dm", 1, 8, "base1", "base2", "base3", "demo1", "match1"),
                    "quake3",
                            numbered(
                                    "q3dm",
                                    0,
                                    19,
                                    "oa_dm1",
                                    "oa_dm2",
                                    "oa_dm3",
                                    "oa_dm4",
                                    "oa_dm5",
                                    "oa_dm6",
                                    "oa_dm7",
                                    "aggressor",
                                    "q3tourney1"));

    private final Machine machine;
    private final List<Game> games;
    private final Function<Game, Map<String, String>> options;

    /**
     * @param options the settings of each game, its data folder among them
     */
    Doctor(Machine machine, List<Game> games, Function<Game, Map<String, String>> options) {
        this.machine = machine;
        this.games = games;
        this.options = options;
    }

    private static List<String> numbered(String stem, int first, int last, String... others) {
        return Stream.concat(
                        Stream.of(others),
                        IntStream.rangeClosed(first, last).mapToObj(i -> stem + i))
                .toList();
    }

    /** Looks at everything. */
    List<Finding> look() {
        List<Finding> found = new ArrayList<>(List.of(java(), sockets(), clock()));
        found.addAll(buffers());
        games.forEach(game -> found.add(port(game.title(), false, game.port())));
        for (Game game : games) {
            if (game.name().equals("sauerbraten")) {
                found.add(port("Sauerbraten's server browser", false, game.port() + 1));
            } else if (game.name().equals("bedrock")) {
                found.add(port("Bedrock's NetherNet", true, game.port()));
            }
        }
        machine.addresses().forEach(address -> found.add(echo(address)));
        found.add(firewall());
        found.addAll(data());
        return found;
    }

    /** The games' own maps; nothing of a game that is not installed and was not named. */
    private List<Finding> data() {
        List<Finding> found =
                games.stream()
                        .filter(this::takesData)
                        .flatMap(game -> data(game).stream())
                        .toList();
        return found.isEmpty()
                ? List.of(
                        new Finding(
                                "data",
                                State.OK,
                                "no maps of the games here, which only --map and --arena map:NAME"
                                        + " need; doctor --data GAME=DIR looks elsewhere"))
                : found;
    }

    /** Whether a file is an arena of this release. */
    Finding arena(Path file) {
        try {
            return new Finding("arena", State.OK, file + ", " + ArenaCatalog.read(file).title());
        } catch (IOException e) {
            return new Finding("arena", State.BAD, String.valueOf(e.getMessage()));
        }
    }

    private Finding java() {
        int java = machine.java();
        return java >= JAVA
                ? new Finding("java", State.OK, "Java " + java)
                : new Finding(
                        "java",
                        State.BAD,
                        "Java "
                                + java
                                + ": install a JDK "
                                + JAVA
                                + ", or name it in"
                                + " WISHDIR_JAVA_HOME");
    }

    private Finding sockets() {
        return machine.slowSockets()
                .map(why ->
                        new Finding(
                                "sockets",
                                State.WARNING,
                                "Java's own sockets, not Linux's epoll: " + why))
                .orElseGet(() -> new Finding("sockets", State.OK, "Linux's epoll"));
    }

    private Finding clock() {
        Instant now = machine.now();
        if (now.isBefore(OLDEST)) {
            return new Finding(
                    "clock",
                    State.BAD,
                    now
                            + " is before this Java was made: certificates of Bedrock's players"
                            + " will not be valid; set the clock");
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
                                    + "; whether it is synchronized is not known: timedatectl "
                                    + (machine.isInstalled("timedatectl")
                                            ? "does not say it"
                                            : "is not installed"));
        };
    }

    private List<Finding> buffers() {
        return Stream.of("rmem_max", "wmem_max").map(this::buffer).toList();
    }

    private Finding buffer(String name) {
        Optional<Long> most =
                machine.read(SYSCTL.resolve(name))
                        .map(String::strip)
                        .filter(text -> text.matches("\\d{1,18}"))
                        .map(Long::parseLong);
        if (most.isEmpty()) {
            return new Finding(
                    "buffers",
                    State.UNKNOWN,
                    "what the kernel allows is not known: "
                            + SYSCTL.resolve(name)
                            + " can't be read");
        }
        long bytes = most.get();
        return bytes >= BUFFER
                ? new Finding("buffers", State.OK, "net.core." + name + " " + bytes)
                : new Finding(
                        "buffers",
                        State.WARNING,
                        "net.core."
                                + name
                                + " is "
                                + bytes
                                + ", so bursts of many players get lost: "
                                + asRoot("sysctl -w net.core." + name + "=" + BUFFER));
    }

    /** A command that only root may run, as an advice to the user of this process. */
    private String asRoot(String command) {
        return (machine.isRoot() ? "" : "as root, ") + command;
    }

    private Finding port(String what, boolean tcp, int port) {
        String name = (tcp ? "TCP " : "UDP ") + port;
        return machine.bind(tcp, port)
                .map(why ->
                        new Finding(
                                "port",
                                State.BAD,
                                name + ", " + what + ": " + why + user(tcp, port)))
                .orElseGet(() -> new Finding("port", State.OK, name + ", " + what + ": free"));
    }

    /** Who has a port, as far as the kernel tells us. */
    private String user(boolean tcp, int port) {
        return OpenPort.find(machine, tcp, port)
                .map(open ->
                        "; it has "
                                + machine.owner(open.inode())
                                        .map(Machine.Owner::toString)
                                        .orElse(
                                                "a process of user "
                                                        + open.user()
                                                        + " that can't be seen"
                                                        + (machine.isRoot()
                                                                ? ", as in a container"
                                                                : "; as root it can")))
                .orElse("");
    }

    private Finding echo(InetAddress address) {
        String text = AddressText.of(address);
        return machine.echo(address)
                .map(why ->
                        new Finding(
                                "udp",
                                State.WARNING,
                                text
                                        + " does not reach itself by UDP: "
                                        + why
                                        + "; look for a firewall"))
                .orElseGet(() -> new Finding("udp", State.OK, text + " reaches itself by UDP"));
    }

    /** What a firewall does not say, is not guessed. */
    private Finding firewall() {
        Optional<String> nft = machine.run("nft", "list", "ruleset");
        Optional<String> iptables = machine.run("iptables", "-S", "INPUT");
        if (nft.isEmpty() && iptables.isEmpty()) {
            return new Finding("firewall", State.UNKNOWN, "not known: " + whyNoRules());
        }
        String rules = nft.orElse("") + iptables.orElse("");
        boolean drops =
                rules.contains("policy drop")
                        || rules.contains("-P INPUT DROP")
                        || rules.contains("reject")
                        || rules.contains("-j REJECT");
        List<Game> closed =
                games.stream()
                        .filter(game -> !rules.contains(String.valueOf(game.port())))
                        .toList();
        if (!drops) {
            return new Finding(
                    "firewall",
                    State.OK,
                    "this machine's lets in what is not forbidden; one before it is not seen");
        }
        if (closed.isEmpty()) {
            return new Finding("firewall", State.OK, "one is there, and names the games' ports");
        }
        return new Finding(
                "firewall",
                State.WARNING,
                "one is there that does not name UDP "
                        + String.join(
                                ", ",
                                closed.stream().map(game -> String.valueOf(game.port())).toList())
                        + ": let them in");
    }

    private String whyNoRules() {
        List<String> installed = Stream.of("nft", "iptables").filter(machine::isInstalled).toList();
        if (installed.isEmpty()) {
            return "neither nft nor iptables is installed";
        }
        return String.join(" and ", installed)
                + (machine.isRoot()
                        ? " can't be asked here, as in a container"
                        : " can be asked as root only");
    }

    private boolean takesData(Game game) {
        return STOCK.containsKey(game.name())
                && game.options().stream().anyMatch(option -> option.name().equals("data"));
    }

    private Optional<Finding> data(Game game) {
        List<String> maps = new ArrayList<>();
        try {
            for (String map : STOCK.getOrDefault(game.name(), List.of())) {
                if (game.mapFile(map, options.apply(game)).isPresent()) {
                    maps.add(map);
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            return Optional.of(
                    new Finding("data", State.BAD, game.title() + ": " + e.getMessage()));
        }
        if (maps.isEmpty()) {
            return options.apply(game).isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            new Finding(
                                    "data",
                                    State.WARNING,
                                    game.title()
                                            + ": none of its stock maps is in "
                                            + options.apply(game).get("data")));
        }
        return Optional.of(
                new Finding(
                        "data",
                        State.OK,
                        game.title() + ": stock maps, among them " + String.join(", ", maps)));
    }

    /** What a player types in each game to come here. */
    List<Finding> joining() {
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
                .map(game ->
                        new Finding(
                                "join",
                                State.OK,
                                game.title()
                                        + ": "
                                        + switch (game.name()) {
                                            case "quake2" -> "connect " + host;
                                            case "sauerbraten", "quake3" -> "/connect " + host;
                                            case "bedrock" ->
                                                    "add a server: address "
                                                            + host
                                                            + ", port "
                                                            + game.port();
                                            default -> host + ", port " + game.port();
                                        }))
                .toList();
    }
}
