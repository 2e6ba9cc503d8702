package dev.wishdir.game;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.LeaveReason;
import dev.wishdir.net.AddressLimits;
import dev.wishdir.net.Counters;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.LoopMeter;
import dev.wishdir.net.MemoryBudget;
import dev.wishdir.world.blocks.ArenaCatalog;
import dev.wishdir.world.blocks.BlockArena;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * What an endpoint needs to serve.
 *
 * @param cycle the server's duty cycle, which limits the loop's time of each session; it runs the
 *     arena and the memory's look already
 * @param address where to listen
 * @param name what server lists show
 * @param map the map to play, empty for the game's own of the blocks
 * @param sharedArena the arena of blocks that all games play, shared by all endpoints of the server
 * @param maxPlayers the most players of this game at once
 * @param operatorConsole what operators do, which is the same in all games; who may not join, and
 *     what players must give who do
 * @param adminPassword what gives a player the rights of an operator, empty for nobody
 * @param options the game's own settings by {@link Game.Option#name}
 * @param addressLimits what is counted by address, shared by all endpoints of the server
 * @param memoryBudget what all connections may hold together, shared by all endpoints of the server
 * @param httpDownloads where the files of what is played are, too, shared by all endpoints of the
 *     server
 * @param keys takes a line for each session that is encrypted, by which {@link Game#dissector}
 *     reads captures of it: a secret
 * @param random session ids, challenges; a secure one in a real server, seeded in tests
 */
public record EndpointContext(
        DutyCycle cycle,
        InetSocketAddress address,
        Arena arena,
        String name,
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

    /** The arena of blocks that is on the stage now. */
    public BlockArena blocks() {
        return sharedArena.blocks();
    }

    /** What players must give now, empty for none. */
    public String password() {
        return operatorConsole.password();
    }

    /**
     * Why a client that has proved its address may not join, as its player reads it; empty where it
     * may.
     *
     * @param game that it joins
     * @param account that somebody else vouches for; empty for none
     */
    public Optional<LeaveReason> banned(String game, InetAddress address, String account) {
        return operatorConsole.bans().of(game, address, account).map(Ban::refusal);
    }

    /**
     * Settings with defaults for all but these.
     *
     * @param cycle runs the arena already
     */
    public static Builder builder(DutyCycle cycle, InetSocketAddress address, Arena arena) {
        return new Builder(cycle, address, arena);
    }

    /** Settings that are being made; what is not set has a default. */
    public static final class Builder {
        private final DutyCycle cycle;
        private final InetSocketAddress address;
        private final Arena arena;
        private String name = "Wishdir";
        private String map = "";
        private BlockArena blocks = ArenaCatalog.FLAT;
        private int maxPlayers;
        private String password = "";
        private String adminPassword = "";
        private Map<String, String> options = Map.of();
        private Counters counters = new Counters();
        private HttpDownloads downloads = new HttpDownloads();
        private Consumer<String> keys = _ -> {};
        private RandomGenerator random = new SecureRandom();
        private @Nullable AddressLimits addresses;
        private @Nullable MemoryBudget memory;
        private @Nullable LoopMeter meter;
        private @Nullable SharedArena stage;
        private @Nullable OperatorConsole console;

        private Builder(DutyCycle cycle, InetSocketAddress address, Arena arena) {
            this.cycle = cycle;
            this.address = address;
            this.arena = arena;
            maxPlayers = arena.capacity();
        }

        /** What server lists show; {@code Wishdir} if not set. */
        public Builder name(String name) {
            this.name = name;
            return this;
        }

        /** The map to play; the game's own of the blocks if not set. */
        public Builder map(String map) {
            this.map = map;
            return this;
        }

        /** The arena of blocks of this endpoint alone; the even one if not set. */
        public Builder blocks(BlockArena blocks) {
            this.blocks = blocks;
            return this;
        }

        /** Shared by all endpoints of a server; if not set, one of this endpoint. */
        public Builder sharedArena(SharedArena stage) {
            this.stage = stage;
            return this;
        }

        /** The most players of this game; as many as the arena takes if not set. */
        public Builder maxPlayers(int maxPlayers) {
            this.maxPlayers = maxPlayers;
            return this;
        }

        /**
         * Shared by all endpoints of a server, with the password that players must give; if not
         * set, of this endpoint alone.
         */
        public Builder operatorConsole(OperatorConsole console) {
            this.console = console;
            return this;
        }

        /** What players must give, where no operations are set; nothing if not set. */
        public Builder password(String password) {
            this.password = password;
            return this;
        }

        /** What gives the rights of an operator; nobody has them if not set. */
        public Builder adminPassword(String adminPassword) {
            this.adminPassword = adminPassword;
            return this;
        }

        /** The game's own settings by {@link Game.Option#name}. */
        public Builder options(Map<String, String> options) {
            this.options = Map.copyOf(options);
            return this;
        }

        /** Shared by all endpoints of a server; standard ones of this endpoint if not set. */
        public Builder addressLimits(AddressLimits addresses) {
            this.addresses = addresses;
            return this;
        }

        /**
         * Shared by all endpoints of a server, run as a duty of its cycle; if not set, a standard
         * one of this endpoint, which {@link #build} adds to the cycle.
         */
        public Builder memoryBudget(MemoryBudget memory) {
            this.memory = memory;
            return this;
        }

        /**
         * The limit on the loop's time of each session, shared by all endpoints of a server; a
         * standard one of this endpoint if not set.
         */
        public Builder meter(LoopMeter meter) {
            this.meter = meter;
            return this;
        }

        public Builder counters(Counters counters) {
            this.counters = counters;
            return this;
        }

        /**
         * Shared by all endpoints of a server; of this endpoint alone, and told to nobody, if not
         * set.
         */
        public Builder httpDownloads(HttpDownloads downloads) {
            this.downloads = downloads;
            return this;
        }

        /** Where the keys of encrypted sessions go; nowhere if not set. */
        public Builder keys(Consumer<String> keys) {
            this.keys = keys;
            return this;
        }

        /** A secure one if not set. */
        public Builder random(RandomGenerator random) {
            this.random = random;
            return this;
        }

        public EndpointContext build() {
            AddressLimits known =
                    addresses == null ? AddressLimits.standard(random.nextLong()) : addresses;
            MemoryBudget budget = memory;
            if (budget == null) {
                budget = MemoryBudget.standard(counters);
                cycle.add(budget);
            }
            LoopMeter limit =
                    meter == null
                            ? new LoopMeter(LoopMeter.DEFAULT_SHARE_PERCENT, counters)
                            : meter;
            SharedArena own =
                    stage == null ? new SharedArena(cycle, arena, blocks, List.of()) : stage;
            return new EndpointContext(
                    limit.around(cycle),
                    address,
                    arena,
                    name,
                    map,
                    own,
                    maxPlayers,
                    console == null
                            ? new OperatorConsole(arena, own, Bans.none(), password)
                            : console,
                    adminPassword,
                    options,
                    known,
                    budget,
                    counters,
                    downloads,
                    keys,
                    random);
        }
    }
}
