package dev.wishdir.interop;

import dev.wishdir.game.BotController;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Movement;
import dev.wishdir.net.simulation.SimulatedNetwork;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/** A headless player of some game in virtual time, and its events. */
final class TestClient implements ClientListener {
    static final BotController CIRCLES = (now, _) -> PlayerInput.walk(now / 1e9 * 60 % 360, 0, 0);

    final Game game;
    final InetAddress address;
    final String name;
    final FaultInjectingDutyCycle cycle;
    final Client client;

    /** What others said, and how often. */
    final Map<String, Integer> heard = new HashMap<>();

    /** Who said a line last; empty for the server. */
    final Map<String, String> speakers = new HashMap<>();

    /** Those who have appeared and not vanished. */
    final Set<Long> bodies = new HashSet<>();

    /** How often a player has vanished. */
    int vanished;

    /** When each other was seen to move, by name. */
    final Map<String, List<Long>> moves = new HashMap<>();

    String ending = "";

    /**
     * @param from the address that it comes from
     * @param password that it gives
     * @param options of its game's client
     */
    TestClient(
            SimulatedNetwork network,
            RandomGenerator random,
            FourGames server,
            Game game,
            String from,
            String name,
            String password,
            Map<String, String> options,
            BotController controller)
            throws IOException {
        this(network, random, server, game, from, 0, name, password, options, controller);
    }

    /**
     * @param from the address that it comes from
     * @param port from which it comes; 0 for any
     */
    TestClient(
            SimulatedNetwork network,
            RandomGenerator random,
            FourGames server,
            Game game,
            String from,
            int port,
            String name,
            String password,
            Map<String, String> options,
            BotController controller)
            throws IOException {
        this.game = game;
        this.name = name;
        address = InetAddress.ofLiteral(from);
        cycle = new FaultInjectingDutyCycle(network.cycle(), new InetSocketAddress(address, port));
        client =
                game.connect(
                        ClientConfig.builder(cycle, server.address(game.name()))
                                .name(name)
                                .password(password)
                                .options(options)
                                .controller(controller)
                                .listener(this)
                                .random(random)
                                .build());
    }

    @Override
    public void onAppeared(Client self, Client.RemotePlayer other) {
        bodies.add(other.id());
    }

    @Override
    public void onMoved(Client self, long now, Client.RemotePlayer other) {
        moves.computeIfAbsent(other.name(), _ -> new ArrayList<>()).add(now);
    }

    @Override
    public void onVanished(Client self, Client.RemotePlayer other) {
        bodies.remove(other.id());
        vanished++;
    }

    @Override
    public void onChat(Client self, String name, String text) {
        heard.merge(text, 1, Integer::sum);
        speakers.put(text, name);
    }

    @Override
    public void onEnded(Client self, EndReason ending, String reason) {
        this.ending = ending + ": " + reason;
    }

    boolean in() {
        return client.joined() && ending.isEmpty();
    }

    /** Another player as it sees it, by a name that may have the sign of its game. */
    Movement sees(String who) {
        return client.others().stream()
                .filter(other -> other.name().endsWith(who))
                .map(Client.RemotePlayer::movement)
                .findFirst()
                .orElseThrow(() -> new AssertionError(this + " does not see " + who));
    }

    @Override
    public String toString() {
        return game.name()
                + " "
                + name
                + " "
                + client.movement().position()
                + " sees "
                + client.others()
                + " "
                + ending;
    }
}
