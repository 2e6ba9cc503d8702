package dev.wishdir.game;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.game.level.HttpDownloads;
import dev.wishdir.game.level.SharedArena;
import dev.wishdir.game.operator.Ban;
import dev.wishdir.game.operator.Bans;
import dev.wishdir.game.operator.OperatorConsole;
import dev.wishdir.game.operator.OtherServers;
import dev.wishdir.net.Requirements;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.LoopMeter;
import dev.wishdir.net.loop.MemoryBudget;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Context of an endpoint: configuration, and the services that all endpoints share.
 *
 * @param cycle the server's duty cycle, with a limit on each session's share of its time; it
 *     already runs the arena and the memory budget
 * @param address to listen on
 * @param name as server lists show it
 * @param software name and version of the program, as server lists show them
 * @param map to play, empty for the game's own conversion of the shared arena
 * @param sharedArena the arena of blocks that all games play, shared by all endpoints
 * @param maxPlayers maximum number of players of this game
 * @param operatorConsole operator commands, bans and the password to join, shared by all endpoints
 * @param adminPassword gives a player the rights of an operator; empty if there is none
 * @param options the game's own settings by {@link Game.Option#name}
 * @param addressLimits limits per address, shared by all endpoints
 * @param memoryBudget of all connections together, shared by all endpoints
 * @param httpDownloads HTTP server for the files of levels, shared by all endpoints
 * @param keys receives a line per encrypted session with which {@link Game#dissector} decrypts
 *     captures of it: a secret
 * @param random for session ids and challenges; secure in a real server, seeded in tests
 */
public record EndpointContext(
        DutyCycle cycle,
        InetSocketAddress address,
        Arena arena,
        String name,
        String software,
        String map,
        SharedArena sharedArena,
        int maxPlayers,
        OperatorConsole operatorConsole,
        String adminPassword,
        Map<String, String> options,
        AddressLimits addressLimits,
        MemoryBudget memoryBudget,
        Counters counters,
        HttpDownloads httpDownloads,
        Consumer<String> keys,
        RandomGenerator random) {

    /**
     * @throws IllegalArgumentException if the address is not resolved, or there is no place for a
     *     player
     */
    public EndpointContext {
        Objects.requireNonNull(cycle, "cycle");
        Requirements.resolved("address", address);
        Objects.requireNonNull(arena, "arena");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(software, "software");
        Objects.requireNonNull(map, "map");
        Objects.requireNonNull(sharedArena, "sharedArena");
        Requirements.notNegative("maxPlayers", maxPlayers);
        Objects.requireNonNull(operatorConsole, "operatorConsole");
        Objects.requireNonNull(adminPassword, "adminPassword");
        options = Map.copyOf(Objects.requireNonNull(options, "options"));
        Objects.requireNonNull(addressLimits, "addressLimits");
        Objects.requireNonNull(memoryBudget, "memoryBudget");
        Objects.requireNonNull(counters, "counters");
        Objects.requireNonNull(httpDownloads, "httpDownloads");
        Objects.requireNonNull(keys, "keys");
        Objects.requireNonNull(random, "random");
    }

    /** The arena that all games play now. */
    public BlockArena blocks() {
        return sharedArena.blocks();
    }

    /** The password to join, empty for none. */
    public String password() {
        return operatorConsole.password();
    }

    /**
     * Whether a given password to join is right; the time taken does not reveal where it differs.
     */
    public boolean isPassword(String given) {
        return isSame(password(), given);
    }

    /** Proof of a client that is let in now: the password, if there is one. */
    public Proof passwordProof() {
        return password().isEmpty() ? Proof.NONE : Proof.PASSWORD;
    }

    /** Whether a given operator password is right: never if there is none. */
    public boolean isAdminPassword(String given) {
        return !adminPassword.isEmpty() && isSame(adminPassword, given);
    }

    private static boolean isSame(String secret, String given) {
        return MessageDigest.isEqual(
                secret.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The reason to refuse a client with a proven address; empty if it is not banned.
     *
     * @param game that it joins
     * @param account verified by a third party; empty for none
     */
    public Optional<LeaveReason> banned(String game, InetAddress address, String account) {
        return operatorConsole.bans().find(game, address, account).map(Ban::refusal);
    }

    /**
     * The reason to refuse a client while the server is full; names another server of the arena
     * that has room.
     *
     * @param game that the client joins
     */
    public LeaveReason full(String game) {
        return room(game)
                .map(room ->
                        new LeaveReason(
                                LeaveReason.Code.SERVER_FULL,
                                "The server is full, but " + room + " has room."))
                .orElse(LeaveReason.of(LeaveReason.Code.SERVER_FULL));
    }

    /**
     * The players of all games at which this endpoint is full, as server lists show it: those that
     * are here, and the places that are free for its game.
     *
     * @param game of this endpoint
     */
    public int capacity(String game) {
        long own =
                arena.players().stream()
                        .filter(player -> !player.id().isMirrored() && player.game().equals(game))
                        .count();
        int players = arena.playerCount();
        int free = Math.max(0, arena.maxPlayerCount() - players);
        return players + Math.clamp(maxPlayers - own, 0, free);
    }

    /** Another server of the arena with room for a player of a game; empty if there is none. */
    public Optional<OtherServers.Address> room(String game) {
        return operatorConsole.otherServers().room(game);
    }

    /**
     * A builder with defaults for all but these.
     *
     * @param cycle already runs the arena
     */
    public static Builder builder(DutyCycle cycle, InetSocketAddress address, Arena arena) {
        return new Builder(cycle, address, arena);
    }

    /** Builds a context. It has a field for each component, because nearly all have defaults. */
    public static final class Builder {
        private final DutyCycle cycle;
        private final InetSocketAddress address;
        private final Arena arena;
        private String name = "Wishdir";
        private String software = "Wishdir";
        private String map = "";
        private BlockArena blocks = ArenaCatalog.FLAT;
        private int maxPlayers;
        private String password = "";
        private String adminPassword = "";
        private Map<String, String> options = Map.of();
        private Counters counters = new Counters();
        private HttpDownloads httpDownloads = new HttpDownloads();
        private Consumer<String> keys = _ -> {};
        private RandomGenerator random = new SecureRandom();
        private @Nullable AddressLimits addressLimits;
        private @Nullable MemoryBudget memoryBudget;
        private @Nullable LoopMeter meter;
        private @Nullable SharedArena sharedArena;
        private @Nullable OperatorConsole operatorConsole;

        private Builder(DutyCycle cycle, InetSocketAddress address, Arena arena) {
            this.cycle = Objects.requireNonNull(cycle, "cycle");
            this.address = Requirements.resolved("address", address);
            this.arena = Objects.requireNonNull(arena, "arena");
            maxPlayers = arena.capacity();
        }

        /** Name for server lists; default: {@code Wishdir}. */
        public Builder name(String name) {
            this.name = Objects.requireNonNull(name, "name");
            return this;
        }

        /** Name and version of the program for server lists; default: {@code Wishdir}. */
        public Builder software(String software) {
            this.software = Objects.requireNonNull(software, "software");
            return this;
        }

        /** Map to play; default: the game's own conversion of the shared arena. */
        public Builder map(String map) {
            this.map = Objects.requireNonNull(map, "map");
            return this;
        }

        /** Arena of blocks of this endpoint if no shared arena is set; default: the flat one. */
        public Builder blocks(BlockArena blocks) {
            this.blocks = Objects.requireNonNull(blocks, "blocks");
            return this;
        }

        /** Shared by all endpoints of a server; default: one for this endpoint. */
        public Builder sharedArena(SharedArena sharedArena) {
            this.sharedArena = Objects.requireNonNull(sharedArena, "sharedArena");
            return this;
        }

        /** Maximum number of players of this game; default: the capacity of the arena. */
        public Builder maxPlayers(int maxPlayers) {
            Requirements.notNegative("maxPlayers", maxPlayers);
            this.maxPlayers = maxPlayers;
            return this;
        }

        /**
         * Shared by all endpoints of a server, and includes the password to join; default: one for
         * this endpoint.
         */
        public Builder operatorConsole(OperatorConsole operatorConsole) {
            this.operatorConsole = Objects.requireNonNull(operatorConsole, "operatorConsole");
            return this;
        }

        /** Password to join if no operator console is set; default: none. */
        public Builder password(String password) {
            this.password = Objects.requireNonNull(password, "password");
            return this;
        }

        /** Gives the rights of an operator; default: there is none. */
        public Builder adminPassword(String adminPassword) {
            this.adminPassword = Objects.requireNonNull(adminPassword, "adminPassword");
            return this;
        }

        /** The game's own settings by {@link Game.Option#name}. */
        public Builder options(Map<String, String> options) {
            this.options = Map.copyOf(Objects.requireNonNull(options, "options"));
            return this;
        }

        /** Shared by all endpoints of a server; default: standard limits for this endpoint. */
        public Builder addressLimits(AddressLimits addressLimits) {
            this.addressLimits = Objects.requireNonNull(addressLimits, "addressLimits");
            return this;
        }

        /**
         * Shared by all endpoints of a server, and run by its cycle; default: a standard one for
         * this endpoint, which {@link #build} adds to the cycle.
         */
        public Builder memoryBudget(MemoryBudget memoryBudget) {
            this.memoryBudget = Objects.requireNonNull(memoryBudget, "memoryBudget");
            return this;
        }

        /**
         * Limit on each session's share of the event loop's time, shared by all endpoints of a
         * server; default: a standard one for this endpoint.
         */
        public Builder meter(LoopMeter meter) {
            this.meter = Objects.requireNonNull(meter, "meter");
            return this;
        }

        public Builder counters(Counters counters) {
            this.counters = Objects.requireNonNull(counters, "counters");
            return this;
        }

        /** Shared by all endpoints of a server; default: no HTTP downloads. */
        public Builder httpDownloads(HttpDownloads httpDownloads) {
            this.httpDownloads = Objects.requireNonNull(httpDownloads, "httpDownloads");
            return this;
        }

        /** Receives the keys of encrypted sessions; default: they are dropped. */
        public Builder keys(Consumer<String> keys) {
            this.keys = Objects.requireNonNull(keys, "keys");
            return this;
        }

        /** Default: a secure one. */
        public Builder random(RandomGenerator random) {
            this.random = Objects.requireNonNull(random, "random");
            return this;
        }

        /**
         * Builds the context, and lets the cycle report what listeners of the arena throw.
         *
         * @throws IllegalStateException on another thread than the cycle's
         */
        public EndpointContext build() {
            cycle.checkThread("builds an endpoint's context");
            arena.onDefect(cycle::report);
            arena.setLateness(cycle::lateNanos);
            AddressLimits known =
                    addressLimits == null
                            ? AddressLimits.standard(random.nextLong())
                            : addressLimits;
            MemoryBudget budget = memoryBudget;
            if (budget == null) {
                budget = MemoryBudget.standard(counters);
                cycle.add(budget);
            }
            LoopMeter limit =
                    meter == null
                            ? new LoopMeter(
                                    LoopMeter.DEFAULT_SHARE_PERCENT, known::isTrusted, counters)
                            : meter;
            SharedArena own =
                    sharedArena == null
                            ? new SharedArena(cycle, arena, blocks, List.of())
                            : sharedArena;
            return new EndpointContext(
                    limit.around(cycle),
                    address,
                    arena,
                    name,
                    software,
                    map,
                    own,
                    maxPlayers,
                    operatorConsole == null
                            ? new OperatorConsole(arena, own, Bans.none(), password)
                            : operatorConsole,
                    adminPassword,
                    options,
                    known,
                    budget,
                    counters,
                    httpDownloads,
                    keys,
                    random);
        }
    }
}
