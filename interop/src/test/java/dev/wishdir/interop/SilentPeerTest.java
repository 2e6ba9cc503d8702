package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Game;
import dev.wishdir.game.operator.OperatorConsole;
import dev.wishdir.net.simulation.SimulatedNetwork;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/** The bytes to a peer that stops acknowledging, over each transport, until its time-out. */
@Tag("slow")
class SilentPeerTest {
    private static final long SECOND = 1_000_000_000;
    private static final int LISTENING_SECONDS = 15;
    private static final int MAP_CHANGE_SECOND = 10;
    private static final int SILENT_SECONDS = 40;

    /** How a peer falls silent. */
    enum Silence {
        GONE(0.5, FaultInjectingDutyCycle::close),
        DEAF(0.5, FaultInjectingDutyCycle::deafen),
        NEARLY_DEAF(1, cycle -> cycle.hearOneOf(20));

        /** The most bytes to it, as a part of those to a peer that listens. */
        final double share;

        final Consumer<FaultInjectingDutyCycle> begin;

        Silence(double share, Consumer<FaultInjectingDutyCycle> begin) {
            this.share = share;
            this.begin = begin;
        }
    }

    private final Random random = new Random(6);
    private final SimulatedNetwork network = new SimulatedNetwork(6);

    private final class Silent implements ClientListener {
        final String name;
        final FaultInjectingDutyCycle cycle;
        final Client client;
        final InetAddress address;
        long bytes;

        Silent(FourGames server, Game game, String transport, int number) throws IOException {
            name = game.name() + transport;
            address = InetAddress.ofLiteral("127.0.3." + number);
            cycle = new FaultInjectingDutyCycle(network.cycle(), address);
            client =
                    game.connect(
                            ClientConfig.builder(cycle, server.address(game.name()))
                                    .name("silent" + number)
                                    .options(
                                            transport.isEmpty()
                                                    ? Map.of()
                                                    : Map.of("transport", transport))
                                    .controller(TestClient.CIRCLES)
                                    .listener(this)
                                    .random(random)
                                    .build());
        }

        long takeBytes() {
            long taken = bytes;
            bytes = 0;
            return taken;
        }
    }

    @ParameterizedTest
    @EnumSource
    void sendsNoMoreToSilentPeerThanToListener(Silence silence) throws IOException {
        FourGames server =
                new FourGames(network, random, 64, ArenaCatalog.FLAT, ArenaCatalog.shipped("hall"));
        Map<InetAddress, Silent> silent = new LinkedHashMap<>();
        List<TestClient> witnesses = new ArrayList<>();
        for (Game game : FourGames.ALL) {
            List<String> transports =
                    game.name().equals("bedrock") ? List.of("raknet", "nethernet") : List.of("");
            for (String transport : transports) {
                Silent one = new Silent(server, game, transport, silent.size() + 1);
                silent.put(one.address, one);
            }
            witnesses.add(server.guest(game, game.name()));
            network.run(SECOND / 10);
        }
        server.await(witnesses);
        assertThat(
                        network.runUntil(
                                () -> silent.values().stream().allMatch(one -> one.client.joined()),
                                30 * SECOND))
                .isTrue();
        network.tap((_, from, to, data) -> {
            Silent one = silent.get(to.getAddress());
            if (one != null) {
                one.bytes += data.length;
            }
        });
        Map<Silent, Long> peaks = new LinkedHashMap<>();
        Map<Silent, Long> usual = new LinkedHashMap<>();
        for (int second = 0; second < LISTENING_SECONDS; second++) {
            play(server, witnesses, second);
            for (Silent one : silent.values()) {
                long bytes = one.takeBytes();
                peaks.merge(one, bytes, Math::max);
                usual.merge(one, bytes / LISTENING_SECONDS, Long::sum);
            }
        }
        silent.values().forEach(one -> silence.begin.accept(one.cycle));
        Map<Silent, List<Long>> sent = new LinkedHashMap<>();
        for (int second = 0; second < SILENT_SECONDS; second++) {
            play(server, witnesses, second);
            for (Silent one : silent.values()) {
                sent.computeIfAbsent(one, _ -> new ArrayList<>()).add(one.takeBytes());
            }
        }
        sent.forEach((one, bytes) -> {
            long peak = requireNonNull(peaks.get(one));
            long listener = requireNonNull(usual.get(one)) * SILENT_SECONDS;
            String what = one.name + ", bytes in each second: " + bytes;
            assertThat(bytes).as(what).allMatch(second -> second < 4 * peak);
            assertThat(bytes.stream().mapToDouble(Long::doubleValue).sum())
                    .as(what)
                    .isLessThan(silence.share * listener);
        });
        assertThat(witnesses).allMatch(TestClient::in);
    }

    private void play(FourGames server, List<TestClient> witnesses, int second) {
        if (second == MAP_CHANGE_SECOND) {
            String other = server.arena().level().name().equals("flat") ? "hall" : "flat";
            OperatorConsole console = server.operations();
            console.execute(network.now(), console.author("test"), "map " + other);
        }
        for (TestClient each : witnesses) {
            each.client.say("line " + second);
        }
        network.run(SECOND);
    }
}
