package dev.wishdir.bedrock;

import dev.wishdir.arena.Arena;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Joining;
import dev.wishdir.game.Pilot;
import dev.wishdir.game.Serving;
import dev.wishdir.net.Budget;
import dev.wishdir.net.Counters;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.SimulatedNetwork;
import dev.wishdir.world.BoxArena;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A server of ours and clients of it in virtual time. */
final class BedrockNetwork {
    static final long SECOND = 1_000_000_000L;
    private static final InetSocketAddress LOOPBACK =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 19132);
    static final Pilot STILL = (_, self) -> Pilot.Steering.look(self.yaw(), 0);

    final SimulatedNetwork network;
    final Arena arena = new Arena(BoxArena.BOUNDS, 50);
    final Counters counters = new Counters();
    final BedrockEndpoint endpoint;
    private final long seed;
    private int clients;

    /** What a client was told. */
    static final class Events implements ClientListener {
        final List<String> texts = new ArrayList<>();
        final List<Client.Seen> appeared = new ArrayList<>();
        final List<Client.Seen> moved = new ArrayList<>();
        final List<Client.Seen> vanished = new ArrayList<>();
        final List<Ending> endings = new ArrayList<>();
        final List<String> reasons = new ArrayList<>();

        @Override
        public void appeared(Client self, Client.Seen other) {
            appeared.add(other);
        }

        @Override
        public void moved(Client self, long now, Client.Seen other) {
            moved.add(other);
        }

        @Override
        public void vanished(Client self, Client.Seen other) {
            vanished.add(other);
        }

        @Override
        public void said(Client self, String name, String text) {
            texts.add(name + ": " + text);
        }

        @Override
        public void ended(Client self, Ending ending, String reason) {
            endings.add(ending);
            reasons.add(reason);
        }
    }

    BedrockNetwork(long seed, Map<String, String> options, int maxPlayers) {
        this(seed, options, maxPlayers, "Wishdir; test", LOOPBACK);
    }

    static BedrockNetwork at(InetSocketAddress address, Map<String, String> options) {
        return new BedrockNetwork(1, options, 20, "Wishdir", address);
    }

    BedrockNetwork(long seed, String name) {
        this(seed, Map.of(), 20, name, LOOPBACK);
    }

    private BedrockNetwork(
            long seed,
            Map<String, String> options,
            int maxPlayers,
            String name,
            InetSocketAddress address) {
        this.seed = seed;
        network = new SimulatedNetwork(seed);
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        try {
            endpoint =
                    new BedrockEndpoint(
                            new Serving(
                                    cycle,
                                    address,
                                    arena,
                                    name,
                                    "",
                                    maxPlayers,
                                    "",
                                    "",
                                    options,
                                    Budget.standard(seed),
                                    counters,
                                    new Random(seed)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    BedrockNetwork(long seed) {
        this(seed, Map.of(), 20);
    }

    BedrockClient client(String name, Pilot pilot, Events events, BedrockCodec codec) {
        try {
            return new BedrockClient(
                    new Joining(
                            network.cycle(),
                            endpoint.address(),
                            name,
                            "",
                            pilot,
                            events,
                            new Random(seed + ++clients)),
                    codec);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    BedrockClient join(String name, Pilot pilot, Events events) {
        BedrockClient client = client(name, pilot, events, BedrockCodec.V748);
        if (!network.runUntil(client::joined, 30 * SECOND)) {
            throw new AssertionError(name + " did not join: " + events.reasons);
        }
        return client;
    }
}
