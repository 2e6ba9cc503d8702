package dev.wishdir.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.cluster.message.NodeEvent;
import dev.wishdir.cluster.message.NodeStatus;
import dev.wishdir.cluster.nats.NatsServer;
import dev.wishdir.cluster.remote.WalkingServer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Nodes over a real nats-server, in real time; all of a test runs on its own thread. */
class NatsNodeIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** Each 20 ms, at most 2 m in 250 ms. */
    private static final double STEP_METRES = 10.0 / 64;

    /** One server with one player, which walks ten metres to the east again and again. */
    private static final class Server extends WalkingServer {
        double x;
        boolean paused;

        Server(NatsServer nats, String name, int seed) throws IOException {
            super(nats.address(), name, seed);
        }

        @Override
        public Movement here() {
            x = x < 10 ? x + STEP_METRES : 0;
            return Movement.at(new Vec3(x, 0, 0), 0);
        }

        @Override
        public void turn() {
            if (!paused) {
                super.turn();
            }
        }

        Optional<Player> mirrored(Server other) {
            return arena.find(new PlayerId(other.node.number(), other.player.id().number()));
        }

        boolean seesBodyOf(Server other) {
            return mirrored(other).filter(Player::spawned).isPresent();
        }
    }

    private NatsServer nats;
    private Server a;
    private Server b;

    @BeforeEach
    void start() throws Exception {
        nats = NatsServer.start();
        a = new Server(nats, "anna", 1);
        b = new Server(nats, "bob", 2);
        await("both nodes", () -> a.seesBodyOf(b) && b.seesBodyOf(a));
    }

    @AfterEach
    void close() {
        if (nats != null) {
            a.bus.close();
            b.bus.close();
            nats.close();
        }
    }

    private void await(String what, BooleanSupplier condition) {
        NatsServer.await(
                what,
                LIMIT,
                () -> {
                    a.turn();
                    b.turn();
                    return condition.getAsBoolean();
                });
    }

    /** How far the walker has gone since what the other node shows, metres. */
    private double lag() {
        double shown = b.mirrored(a).orElseThrow().movement().position().x();
        return a.x >= shown ? a.x - shown : a.x - shown + 10;
    }

    @Test
    void showsMovementOfOtherNode() {
        assertThat(b.mirrored(a).orElseThrow().name()).isEqualTo("anna");
        double before = b.mirrored(a).orElseThrow().movement().position().x();
        await("movement", () -> b.mirrored(a).orElseThrow().movement().position().x() > before);
        assertThat(b.node.faults()).isEmpty();
        assertThat(b.node.nodes()).extracting(NodeStatus::host).containsExactly("anna");
    }

    @Test
    void removesPlayersOfNodeWhoseConnectionIsGone() {
        b.bus.close();
        b.paused = true;
        await("its end", () -> a.mirrored(b).isEmpty());
        assertThat(a.events)
                .contains(
                        new NodeEvent.NodeLeft(b.node.number(), NodeEvent.NodeLeft.Reason.LOST, 1));
        assertThat(a.player.snapshot().spawned()).isTrue();
    }

    @Test
    void keepsPlayersOfNodeThatStandsStillWithoutBodies() {
        b.paused = true;
        await("no body", () -> !a.seesBodyOf(b));
        assertThat(a.mirrored(b)).isPresent();
        b.paused = false;
        await("the body", () -> a.seesBodyOf(b) && b.seesBodyOf(a));
        assertThat(a.events).noneMatch(NodeEvent.NodeLeft.class::isInstance);
    }

    @Test
    void playsOnWhileTheServerIsAwayAndMeetsAgain() throws Exception {
        nats.kill();
        await("no body", () -> !a.seesBodyOf(b) && !b.seesBodyOf(a));
        assertThat(a.player.snapshot().spawned()).isTrue();
        assertThat(a.node.isConnected()).isFalse();
        b.player.rename(System.nanoTime(), "bert");
        nats.restart();
        await(
                "both bodies and the name",
                () ->
                        a.seesBodyOf(b)
                                && b.seesBodyOf(a)
                                && a.mirrored(b).orElseThrow().name().equals("bert"));
        assertThat(a.mirrored(b)).map(Player::name).hasValue("bert");
    }

    @Test
    void showsNothingOldAfterTheServerStoodStill() throws Exception {
        nats.pause();
        await("no body", () -> !a.seesBodyOf(b) && !b.seesBodyOf(a));
        nats.resume();
        await("the body", () -> b.seesBodyOf(a));
        assertThat(lag()).isLessThan(2.5);
        await("the other body", () -> a.seesBodyOf(b));
    }
}
