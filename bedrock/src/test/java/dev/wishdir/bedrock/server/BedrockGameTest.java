package dev.wishdir.bedrock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Player;
import dev.wishdir.bedrock.client.BedrockClient;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.MovePlayer;
import dev.wishdir.bedrock.message.PackMessage;
import dev.wishdir.bedrock.message.StartGame;
import dev.wishdir.bedrock.message.Text;
import dev.wishdir.bedrock.message.Vec2f;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.message.WorldMessage;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.protocol.login.LoginIdentity;
import dev.wishdir.bedrock.protocol.login.Skins;
import dev.wishdir.bedrock.server.BedrockNetwork.Events;
import dev.wishdir.game.BotController;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientListener.EndReason;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.raknet.Frame;
import dev.wishdir.raknet.RakNetDatagram;
import dev.wishdir.raknet.RakNetLimits;
import dev.wishdir.raknet.RakNetPeer;
import dev.wishdir.raknet.RakNetSettings;
import dev.wishdir.wire.Reader;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/** Clients of ours in a server of ours, in virtual time. */
@Tag("slow")
class BedrockGameTest {
    private static final long SECOND = BedrockNetwork.SECOND;
    private static final Conditions LOSSY = new Conditions(0.2, 0.05, 20_000_000, 30_000_000);

    private static Player player(BedrockNetwork n, String name) {
        return n.arena.players().stream()
                .filter(player -> player.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "server, deflate, on, raknet",
        "client, deflate, on, raknet",
        "server, snappy, on, raknet",
        "client, none, off, raknet",
        "server, deflate, off, raknet",
        "server, deflate, on, nethernet",
        "client, snappy, on, nethernet",
        "server, none, off, nethernet"
    })
    void showsPlayersToEachOther(
            String authority, String compression, String encryption, String transport) {
        BedrockNetwork n =
                new BedrockNetwork(
                        1,
                        Map.of(
                                "authority",
                                authority,
                                "compression",
                                compression,
                                "encryption",
                                encryption),
                        20);
        n.over(transport);
        Events ann = new Events();
        Events bob = new Events();
        BedrockClient walker =
                n.join(
                        "Ann",
                        (_, _) -> new BotController.PlayerInput(30, -20, 1, 0, false, false),
                        ann);
        BedrockClient watcher = n.join("Bob", BedrockNetwork.STILL, bob);
        Vec3 from = walker.movement().position();
        n.network.run(3 * SECOND);
        Movement here = walker.movement();
        assertThat(here.position().distance(from)).isCloseTo(3 * 4.317, within(0.5));
        Client.RemotePlayer remote = watcher.others().iterator().next();
        assertThat(remote.name()).isEqualTo("Ann");
        assertThat(remote.id()).isEqualTo(n.endpoint.identities().runtimeId(player(n, "Ann").id()));
        assertThat(remote.movement().position().distance(here.position())).isLessThan(0.5);
        assertThat(remote.movement().yaw()).isCloseTo(30, within(1e-3));
        assertThat(remote.movement().pitch()).isCloseTo(-20, within(1e-3));
        assertThat(player(n, "Ann").movement().position().distance(here.position()))
                .isLessThan(0.5);
        assertThat(player(n, "Ann").movement().velocity().length()).isCloseTo(4.317, within(0.3));
        assertThat(bob.moved).hasSizeBetween(40, 70);
        assertThat(n.counters.get("bedrock.drop.corrected")).isZero();

        walker.say("hello \u00A7cBob");
        n.network.run(SECOND);
        assertThat(bob.texts).containsExactly("Ann: hello Bob");
        assertThat(ann.texts).containsExactly("Ann: hello Bob");
        walker.close();
        n.network.run(3 * SECOND);
        assertThat(ann.endings).containsExactly(EndReason.LEFT);
        assertThat(bob.vanished).hasSize(1);
        assertThat(n.arena.players()).hasSize(1);
        n.endpoint.close("bye now");
        n.network.run(3 * SECOND);
        assertThat(bob.endings).containsExactly(EndReason.SERVER_CLOSED);
        assertThat(bob.reasons.getFirst()).isEqualTo("bye now");
    }

    @ParameterizedTest
    @CsvSource({
        "1, raknet", "2, raknet", "3, raknet", "4, raknet",
        "1, nethernet", "2, nethernet", "3, nethernet", "4, nethernet"
    })
    void completesLoginDespiteLossAndReordering(long seed, String transport) {
        BedrockNetwork n = new BedrockNetwork(seed).over(transport);
        n.network.conditions(LOSSY);
        Events ann = new Events();
        Events bob = new Events();
        n.join("Ann", (_, _) -> new BotController.PlayerInput(0, 0, 0.2, 0, false, false), ann);
        BedrockClient bobs = n.join("Bob", BedrockNetwork.STILL, bob);
        n.network.run(10 * SECOND);
        assertThat(bob.moved).hasSizeGreaterThan(50);
        List<Double> path = bob.moved.stream().map(s -> s.movement().position().x()).toList();
        assertThat(path).isSorted();
        assertThat(bobs.others()).hasSize(1);
        assertThat(ann.endings).isEmpty();
    }

    /**
     * A fifth of all datagrams is lost, others come twice or late: a login of dozens of parts
     * completes, what is ordered comes in order and once, and no client's memory grows past its
     * bound.
     */
    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13})
    void completesLargeLoginOnBadNetwork(long seed) {
        BedrockNetwork n = new BedrockNetwork(seed);
        n.network.conditions(LOSSY);
        Set<Integer> parts = new HashSet<>();
        n.network.tap((_, _, to, data) -> {
            if (to.equals(n.endpoint.address()) && (data[0] & 0xE0) == 0x80) {
                RakNetDatagram.wire(new Reader(data), RakNetDatagram.BLANK).frames().stream()
                        .filter(Frame::isPart)
                        .forEach(frame -> parts.add(frame.splitIndex()));
            }
        });
        ScriptedClient ann = new ScriptedClient(n, 7000);
        byte[] pixels = new byte[128 * 128 * 4];
        new Random(seed).nextBytes(pixels);
        Map<String, Object> data = Skins.clientData("1.21.40", "Ann", "s");
        data.put("SkinData", Base64.getEncoder().encodeToString(pixels));
        data.put("SkinImageWidth", 128);
        data.put("SkinImageHeight", 128);
        int[] most = new int[1];
        ann.settings();
        await(n, most, () -> !ann.all(LoginMessage.NetworkSettings.class).isEmpty());
        ann.send(
                LoginIdentity.selfSigned(
                        748,
                        ann.keys,
                        "Ann",
                        new UUID(1, 2),
                        data,
                        System.currentTimeMillis() / 1000));
        await(n, most, () -> !ann.all(PackMessage.ResourcePacksInfo.class).isEmpty());
        assertThat(parts).hasSizeGreaterThan(48);
        ann.send(new PackMessage.ResourcePackClientResponse(4, List.of()));
        await(n, most, () -> !ann.all(StartGame.class).isEmpty());
        ann.send(new WorldMessage.RequestChunkRadius(4, 4));
        await(n, most, () -> ann.all(LoginMessage.PlayStatus.class).size() == 2);
        ann.send(new WorldMessage.SetLocalPlayerAsInitialized(1));
        await(n, most, () -> !n.arena.players().isEmpty());
        assertThat(n.endpoint.identities().skin(player(n, "Ann")).image().pixels().toArray())
                .isEqualTo(pixels);

        List<Double> walked = new ArrayList<>();
        n.arena.addListener(event -> {
            if (event instanceof ArenaEvent.Moved moved) {
                walked.add(moved.movement().position().x());
            }
        });
        ann.heard.clear();
        List<Double> sent = new ArrayList<>();
        List<String> said = new ArrayList<>();
        Vec3f start = BedrockMotion.eyes(player(n, "Ann").movement().position());
        for (int i = 0; i < 150; i++) {
            Vec3f at = new Vec3f(start.x() + i * 0.02f, start.y(), start.z());
            sent.add((double) at.x());
            ann.send(new MovePlayer(1, at, Vec2f.ZERO, 0, 0, true, 0));
            said.add("line " + i);
            n.arena.announce(n.network.now(), "line " + i);
            bounded(n, most);
        }
        await(n, most, () -> walked.size() >= 150 && ann.all(Text.class).size() >= said.size());
        n.network.run(5 * SECOND);
        assertThat(walked).isEqualTo(sent);
        assertThat(ann.all(Text.class)).extracting(Text::message).isEqualTo(said);
        assertThat(most[0]).isPositive();
        assertThat(ann.gone).isFalse();
        n.endpoint.connections().forEach(peer -> assertThat(peer.receivedBytes()).isZero());
    }

    private static void bounded(BedrockNetwork n, int[] most) {
        for (RakNetPeer peer : n.endpoint.connections()) {
            assertThat(peer.receivedBytes())
                    .isLessThanOrEqualTo(RakNetLimits.SERVER.maxReassemblyBytes());
            assertThat(peer.queuedBytes())
                    .isLessThanOrEqualTo(RakNetLimits.SERVER.maxQueuedBytes());
            most[0] = Math.max(most[0], peer.receivedBytes());
        }
    }

    private static void await(BedrockNetwork n, int[] most, BooleanSupplier condition) {
        for (int i = 0; i < 2000 && !condition.getAsBoolean(); i++) {
            n.network.run(SECOND / 100);
            bounded(n, most);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    @Test
    void showsJumpsAndSneaking() {
        BedrockNetwork n = new BedrockNetwork(2);
        Events bob = new Events();
        n.join(
                "Ann",
                (_, _) -> new BotController.PlayerInput(0, 0, 0, 0, true, true),
                new Events());
        n.join("Bob", BedrockNetwork.STILL, bob);
        n.network.run(2 * SECOND);
        double highest =
                bob.moved.stream().mapToDouble(s -> s.movement().position().z()).max().orElse(0);
        assertThat(highest).isCloseTo(1.25, within(0.06));
        assertThat(player(n, "Ann").movement().stance().crouched()).isTrue();
        assertThat(bob.moved.getLast().movement().stance().crouched()).isTrue();
        assertThat(n.counters.get("bedrock.drop.corrected")).isZero();
    }

    @ParameterizedTest
    @CsvSource({"server, raknet", "client, raknet", "server, nethernet", "client, nethernet"})
    void stopsPlayerAtWall(String authority, String transport) {
        BedrockNetwork n =
                new BedrockNetwork(3, Map.of("authority", authority), 20).over(transport);
        BedrockClient ann =
                n.join(
                        "Ann",
                        (_, _) -> new BotController.PlayerInput(0, 0, 1, 0, false, false),
                        new Events());
        n.network.run(20 * SECOND);
        // 20 s of walking lead 86 m away, if nothing is in the way.
        assertThat(n.counters.get("bedrock.drop.corrected")).isZero();
        assertThat(n.arena.bounds().contains(player(n, "Ann").movement().position())).isTrue();
        assertThat(ann.movement().position().x()).isLessThan(34);
    }

    @ParameterizedTest
    @ValueSource(ints = {729, 748, 766})
    void letsEveryVersionJoin(int protocol) {
        BedrockNetwork n = new BedrockNetwork(4);
        Events ann = new Events();
        BedrockClient client =
                n.client(
                        "Ann",
                        (_, _) -> new BotController.PlayerInput(90, 0, 1, 0, false, false),
                        ann,
                        BedrockCodec.of(protocol).orElseThrow());
        assertThat(n.network.runUntil(client::joined, 20 * SECOND)).isTrue();
        n.network.run(2 * SECOND);
        assertThat(player(n, "Ann").movement().position().distance(client.movement().position()))
                .isLessThan(0.5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"raknet", "nethernet"})
    void reportsFullServer(String transport) {
        BedrockNetwork n = new BedrockNetwork(5, Map.of(), 1).over(transport);
        n.join("Ann", BedrockNetwork.STILL, new Events());
        Events bob = new Events();
        n.client("Bob", BedrockNetwork.STILL, bob, BedrockCodec.V748);
        n.network.run(5 * SECOND);
        assertThat(bob.endings).containsExactly(EndReason.REFUSED);
        assertThat(bob.reasons.getFirst()).contains("full");
    }

    /** By default certified identities are asked for on every address that others can reach. */
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, on, false, raknet",
        "127.0.0.1, '', true, raknet",
        "10.0.0.1, '', false, raknet",
        "10.0.0.1, off, true, raknet",
        "127.0.0.1, on, false, nethernet",
        "127.0.0.1, '', true, nethernet",
        "10.0.0.1, '', false, nethernet",
        "10.0.0.1, off, true, nethernet"
    })
    void refusesUncertifiedIdentityWhenRequired(
            String address, String auth, boolean in, String transport) {
        BedrockNetwork n =
                BedrockNetwork.at(
                        new InetSocketAddress(address, 19132),
                        auth.isEmpty() ? Map.of() : Map.of("auth", auth));
        n.over(transport);
        Events bob = new Events();
        BedrockClient client = n.client("Bob", BedrockNetwork.STILL, bob, BedrockCodec.V748);
        n.network.run(5 * SECOND);
        assertThat(client.joined()).isEqualTo(in);
        if (!in) {
            assertThat(bob.endings).containsExactly(EndReason.REFUSED);
            assertThat(bob.reasons.getFirst()).contains("Xbox", "--bedrock-auth off");
        }
    }

    @Test
    void asksForCookiesByDefault() {
        assertThat(RakNetSettings.server(1).cookie()).isTrue();
    }
}
