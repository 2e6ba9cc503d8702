package dev.wishdir.sauerbraten.server;

import static dev.wishdir.enet.EnetNode.MILLI;
import static dev.wishdir.enet.EnetNode.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Player;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.enet.EnetNode;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.MemoryBudget;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.sauerbraten.message.LifeMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.protocol.PasswordHash;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.protocol.SauerbratenTransport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A server with two honest players who walk and look at each other, in virtual time. */
final class SauerbratenAbuseHarness {
    static final InetSocketAddress GAME = EnetNode.address("10.0.0.1:28785");
    private static final long STEP = 33 * MILLI;

    final SimulatedNetwork network = new SimulatedNetwork(4);
    final Counters counters = new Counters();
    final AddressLimits addressLimits = AddressLimits.standard(3);
    final MemoryBudget memoryBudget = new MemoryBudget(8 << 20, counters);

    /** The flat arena with a spawn point in the middle, where the scripted players begin. */
    private static final BlockArena BLOCKS =
            new BlockArena(
                    ArenaCatalog.FLAT.name(),
                    ArenaCatalog.FLAT.title(),
                    BlockArena.Sun.USUAL,
                    ArenaCatalog.FLAT.blocks(),
                    List.of(Movement.at(Vec3.ZERO, 0)));

    final Arena arena = new Arena(Level.of(BLOCKS), 256);
    final List<String> events = new ArrayList<>();
    final SauerbratenEndpoint endpoint;
    final ScriptedPlayer alice;
    final ScriptedPlayer bob;
    private final String password;
    private int players;
    private int steps;
    private long witnessed;

    SauerbratenAbuseHarness() throws IOException {
        this("", "", 100);
    }

    SauerbratenAbuseHarness(String password, String adminPassword, int maxPlayers)
            throws IOException {
        this.password = password;
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        cycle.add(memoryBudget);
        arena.addListener(event -> {
            switch (event) {
                case ArenaEvent.Left(_, Player player, LeaveReason why) ->
                        events.add(player.name() + " left, " + why);
                case ArenaEvent.JoinRefused refused ->
                        events.add("refused " + refused.from() + ": " + refused.reason().text());
                case ArenaEvent.MovementViolation violation ->
                        events.add(
                                violation.player().name()
                                        + " "
                                        + violation.rule()
                                        + " "
                                        + violation.measured()
                                        + " of "
                                        + violation.allowed());
                default -> {}
            }
        });
        endpoint =
                SauerbratenEndpoint.open(
                        EndpointContext.builder(cycle, GAME, arena)
                                .blocks(BLOCKS)
                                .name("harness")
                                .maxPlayers(maxPlayers)
                                .password(password)
                                .adminPassword(adminPassword)
                                .addressLimits(addressLimits)
                                .memoryBudget(memoryBudget)
                                .counters(counters)
                                .random(new Random(9))
                                .build());
        alice = player("alice");
        bob = player("bob");
        network.tap((_, from, to, data) -> {
            if (from.equals(GAME) && to.equals(alice.node.socket.local())) {
                witnessed += data.length;
            }
        });
        walk(SECOND);
    }

    /** Somebody at an address of his own who connects. */
    ScriptedPlayer stranger(String address) {
        return new ScriptedPlayer(
                new EnetNode(network, address, SauerbratenTransport.client()), GAME);
    }

    /** Somebody at an address of his own who joins and spawns. */
    ScriptedPlayer player(String name) {
        ScriptedPlayer player = new ScriptedPlayer(network, ++players, GAME).greeted();
        return enter(player, name);
    }

    ScriptedPlayer enter(ScriptedPlayer player, String name) {
        String hash = PasswordHash.of(player.cn, player.sessionid, password);
        player.say(new SessionMessage.Connect(name, 0, hash, "", ""));
        network.runUntil(() -> player.lifeseq >= 0, SECOND);
        player.say(new LifeMessage.ClientSpawn(player.lifeseq, 6));
        network.run(20 * MILLI);
        return player;
    }

    /** Lets time pass while the two walk and measure their round trips. */
    void walk(long nanos) {
        long end = network.now() + nanos;
        while (network.now() < end) {
            if (network.now() / STEP > steps) {
                steps = (int) (network.now() / STEP);
                for (ScriptedPlayer canary : List.of(alice, bob)) {
                    canary.move(8000 + steps % 200);
                    if (steps % 8 == 0) {
                        canary.peer.send(
                                1,
                                SauerbratenCodec.V260.packet(new SessionMessage.Ping(steps)),
                                false);
                    }
                }
            }
            network.run(Math.min(end - network.now(), STEP - network.now() % STEP));
        }
    }

    /** The bytes that alice was sent meanwhile. */
    long witnessed(Runnable meanwhile) {
        witnessed = 0;
        meanwhile.run();
        return witnessed;
    }

    /** What the server keeps for a client. */
    long waitingFor(ScriptedPlayer player) {
        return endpoint.retainedBytes(player.node.socket.local());
    }

    void othersAreUnharmed() {
        for (ScriptedPlayer canary : List.of(alice, bob)) {
            assertThat(canary.isGone()).isFalse();
            canary.positions.clear();
        }
        walk(SECOND);
        assertThat(alice.positions.size()).isBetween(29, 60);
        assertThat(bob.positions.size()).isBetween(29, 60);
        assertThat(events).noneMatch(line -> line.matches("(alice|bob) .*"));
        ScriptedPlayer newcomer = new ScriptedPlayer(network, 250, GAME);
        assertThat(network.runUntil(() -> newcomer.cn >= 0, 2 * SECOND)).isTrue();
        enter(newcomer, "newcomer");
        assertThat(newcomer.heard(SessionMessage.Welcome.class)).hasSize(1);
    }
}
