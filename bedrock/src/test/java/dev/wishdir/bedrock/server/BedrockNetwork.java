package dev.wishdir.bedrock.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.bedrock.client.BedrockClient;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.game.BotController;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.Duty;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.ForwardingCycle;
import dev.wishdir.net.loop.MemoryBudget;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.nethernet.identity.IssuerKeySource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** A server of ours and clients of it in virtual time. */
public final class BedrockNetwork {
    public static final long SECOND = 1_000_000_000L;
    private static final InetSocketAddress LOOPBACK =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 19132);
    public static final BotController STILL =
            (_, self) -> BotController.PlayerInput.look(self.yaw(), 0);

    /** What a test wants otherwise than usual. */
    @FunctionalInterface
    public interface Settings {
        EndpointContext.Builder set(EndpointContext.Builder serving);
    }

    /** How the server is opened. */
    @FunctionalInterface
    private interface Opening {
        BedrockEndpoint open(EndpointContext context) throws IOException;
    }

    private static final long MEMORY = 128 << 20;

    public final AddressLimits addressLimits;
    final MemoryBudget memoryBudget;
    public final SimulatedNetwork network;
    public final Arena arena = new Arena(Level.BOX, 150);
    public final Counters counters = new Counters();
    public final DutyCycle cycle;
    final EndpointContext context;
    public final BedrockEndpoint endpoint;
    private final long seed;
    private String transport = "raknet";
    private int clients;
    private int haste = 1;

    /** Whether what takes long on another thread, as a fetch of keys, never ends. */
    boolean hangs;

    /** The events of a client. */
    public static final class Events implements ClientListener {
        public final List<String> texts = new ArrayList<>();
        final List<Client.RemotePlayer> appeared = new ArrayList<>();
        public final List<Client.RemotePlayer> moved = new ArrayList<>();
        public final List<Client.RemotePlayer> vanished = new ArrayList<>();
        public final List<EndReason> endings = new ArrayList<>();
        public final List<String> reasons = new ArrayList<>();
        public final List<String> deaths = new ArrayList<>();
        public double damageTaken;

        @Override
        public void onHit(Client self, long victim, long attacker, double damage, double health) {
            if (victim == self.id()) {
                damageTaken += damage;
            }
        }

        @Override
        public void onDeath(Client self, long victim, long killer) {
            deaths.add(victim + " by " + killer);
        }

        @Override
        public void onAppeared(Client self, Client.RemotePlayer other) {
            appeared.add(other);
        }

        @Override
        public void onMoved(Client self, long now, Client.RemotePlayer other) {
            moved.add(other);
        }

        @Override
        public void onVanished(Client self, Client.RemotePlayer other) {
            vanished.add(other);
        }

        @Override
        public void onChat(Client self, String name, String text) {
            texts.add(name + ": " + text);
        }

        @Override
        public void onEnded(Client self, EndReason ending, String reason) {
            endings.add(ending);
            reasons.add(reason);
        }
    }

    public BedrockNetwork(long seed, Map<String, String> options, int maxPlayers) {
        this(seed, options, maxPlayers, "Wishdir; test", LOOPBACK, trusting(), MEMORY, s -> s);
    }

    public static BedrockNetwork at(InetSocketAddress address, Map<String, String> options) {
        return new BedrockNetwork(1, options, 20, "Wishdir", address, trusting(), MEMORY, s -> s);
    }

    public BedrockNetwork(long seed, String name) {
        this(seed, Map.of(), 20, name, LOOPBACK, trusting(), MEMORY, s -> s);
    }

    /** A server that trusts no address. */
    public static BedrockNetwork strict(long seed, Settings settings) {
        return new BedrockNetwork(
                seed,
                Map.of(),
                20,
                "Wishdir",
                LOOPBACK,
                AddressLimits.standard(seed),
                MEMORY,
                settings);
    }

    /** A server that trusts no address and has little memory. */
    static BedrockNetwork small(long seed, int maxPlayers, long total) {
        return new BedrockNetwork(
                seed,
                Map.of(),
                maxPlayers,
                "Wishdir",
                LOOPBACK,
                AddressLimits.standard(seed),
                total,
                s -> s);
    }

    /** A server to which any number may come from one address. */
    public static BedrockNetwork with(long seed, Settings settings) {
        return new BedrockNetwork(
                seed, Map.of(), 20, "Wishdir", LOOPBACK, trusting(), MEMORY, settings);
    }

    /** A server that wants accounts, whose issuer's keys come from a source. */
    static BedrockNetwork wantingAccounts(
            Map<String, String> options, InstantSource clock, Optional<IssuerKeySource> keys) {
        return new BedrockNetwork(
                1,
                options,
                150,
                "Wishdir",
                LOOPBACK,
                trusting(),
                MEMORY,
                s -> s,
                context -> BedrockEndpoint.open(context, clock, keys));
    }

    /** Most tests bring all their clients from one address. */
    private static AddressLimits trusting() {
        return AddressLimits.trusting(List.of(AddressRange.parse("127.0.0.0/8")), 1);
    }

    private BedrockNetwork(
            long seed,
            Map<String, String> options,
            int maxPlayers,
            String name,
            InetSocketAddress address,
            AddressLimits addressLimits,
            long total,
            Settings settings) {
        this(
                seed,
                options,
                maxPlayers,
                name,
                address,
                addressLimits,
                total,
                settings,
                BedrockEndpoint::open);
    }

    private BedrockNetwork(
            long seed,
            Map<String, String> options,
            int maxPlayers,
            String name,
            InetSocketAddress address,
            AddressLimits addressLimits,
            long total,
            Settings settings,
            Opening opening) {
        this.seed = seed;
        this.addressLimits = addressLimits;
        memoryBudget = new MemoryBudget(total, counters);
        network = new SimulatedNetwork(seed);
        cycle =
                new ForwardingCycle(network.cycle()) {
                    @Override
                    public <T> boolean offloadLong(
                            Callable<T> work, Consumer<T> onResult, Consumer<Throwable> onFailure) {
                        return hangs || super.offloadLong(work, onResult, onFailure);
                    }
                };
        cycle.add(arena::advance);
        cycle.add(memoryBudget);
        try {
            context =
                    settings.set(
                                    EndpointContext.builder(cycle, address, arena)
                                            .name(name)
                                            .maxPlayers(maxPlayers)
                                            .options(options)
                                            .addressLimits(addressLimits)
                                            .memoryBudget(memoryBudget)
                                            .counters(counters)
                                            .random(new Random(seed)))
                            .build();
            endpoint = opening.open(context);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public BedrockNetwork(long seed) {
        this(seed, Map.of(), 20);
    }

    /** From now on clients come over a transport; RakNet is the default. */
    public BedrockNetwork over(String transport) {
        this.transport = transport;
        return this;
    }

    String transport() {
        return transport;
    }

    /** Makes the clocks of later clients faster than the server's by a factor. */
    BedrockNetwork hastening(int times) {
        haste = times;
        return this;
    }

    /** The cycle of one whose clock is fast. */
    private static final class Hasty extends ForwardingCycle {
        private final int times;

        Hasty(DutyCycle cycle, int times) {
            super(cycle);
            this.times = times;
        }

        @Override
        public long now() {
            return times * super.now();
        }

        @Override
        protected void received(
                DatagramHandler handler, long now, InetSocketAddress from, byte[] data) {
            super.received(handler, times * now, from, data);
        }

        @Override
        protected long advance(DatagramHandler handler, long now) {
            long next = super.advance(handler, times * now);
            return next == Duty.NEVER ? next : next / times;
        }
    }

    public BedrockClient client(
            String name, BotController controller, Events events, BedrockCodec codec) {
        return client(name, "", controller, events, codec);
    }

    BedrockClient client(
            String name,
            String password,
            BotController controller,
            Events events,
            BedrockCodec codec) {
        try {
            return BedrockClient.connect(
                    ClientConfig.builder(new Hasty(network.cycle(), haste), endpoint.address())
                            .name(name)
                            .password(password)
                            .options(Map.of("transport", transport))
                            .controller(controller)
                            .listener(events)
                            .random(new Random(seed + ++clients))
                            .build(),
                    codec,
                    InstantSource.system());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public BedrockClient join(String name, BotController controller, Events events) {
        BedrockClient client = client(name, controller, events, BedrockCodec.V748);
        if (!network.runUntil(client::joined, 30 * SECOND)) {
            throw new AssertionError(name + " did not join: " + events.reasons);
        }
        return client;
    }
}
