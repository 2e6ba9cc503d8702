package dev.wishdir.bedrock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wishdir.arena.event.Player;
import dev.wishdir.bedrock.client.BedrockClient;
import dev.wishdir.bedrock.message.LoginMessage;
import dev.wishdir.bedrock.message.LoginMessage.PlayStatus;
import dev.wishdir.bedrock.protocol.BedrockCodec;
import dev.wishdir.bedrock.server.BedrockNetwork.Events;
import dev.wishdir.game.BotController;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientListener.EndReason;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/** Players of every version in one server of ours, in virtual time. */
@Tag("slow")
class VersionsTogetherTest {
    private static final long SECOND = BedrockNetwork.SECOND;

    static IntStream protocols() {
        return Arrays.stream(BedrockCodec.protocols());
    }

    private static BedrockClient join(
            BedrockNetwork n, String name, BotController controller, Events events, int protocol) {
        BedrockClient client =
                n.client(name, controller, events, BedrockCodec.of(protocol).orElseThrow());
        if (!n.network.runUntil(client::joined, 30 * SECOND)) {
            throw new AssertionError(name + " did not join: " + events.reasons);
        }
        return client;
    }

    private static Player player(BedrockNetwork n, String name) {
        return n.arena.players().stream()
                .filter(player -> player.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void joinsEachVersionWithReference(int protocol) {
        for (String way : List.of("server raknet", "client raknet", "server nethernet")) {
            String authority = way.split(" ")[0];
            BedrockNetwork n =
                    new BedrockNetwork(1, Map.of("authority", authority), 20)
                            .over(way.split(" ")[1]);
            Events ann = new Events();
            Events bob = new Events();
            AtomicBoolean jumping = new AtomicBoolean();
            AtomicBoolean walking = new AtomicBoolean(true);
            BedrockClient walker =
                    join(
                            n,
                            "Ann",
                            (_, _) ->
                                    new BotController.PlayerInput(
                                            30,
                                            -20,
                                            walking.get() ? 1 : 0,
                                            0,
                                            jumping.get(),
                                            false),
                            ann,
                            protocol);
            BedrockClient watcher = join(n, "Bob", BedrockNetwork.STILL, bob, 748);
            n.network.run(2 * SECOND);
            Movement here = walker.movement();
            Client.RemotePlayer remote = watcher.others().iterator().next();
            assertThat(remote.name()).isEqualTo("Ann");
            assertThat(remote.movement().position().distance(here.position())).isLessThan(0.5);
            assertThat(remote.movement().yaw()).isCloseTo(30, within(1e-3));
            assertThat(walker.others())
                    .extracting(Client.RemotePlayer::name)
                    .containsExactly("Bob");
            assertThat(player(n, "Ann").movement().stance().onGround()).isTrue();

            jumping.set(true);
            boolean[] flown = {false};
            n.network.runUntil(
                    () -> {
                        Movement m = player(n, "Ann").movement();
                        flown[0] |= !m.stance().onGround();
                        return flown[0] && m.position().z() > 1;
                    },
                    2 * SECOND);
            assertThat(flown[0]).as("in the air: %s", way).isTrue();
            jumping.set(false);
            n.network.run(2 * SECOND);
            assertThat(player(n, "Ann").movement().stance().onGround()).isTrue();

            // Not as far as a wall, which a client without a map does not know of.
            walking.set(false);
            walker.say("hello");
            watcher.say("good day");
            n.network.run(SECOND);
            assertThat(bob.texts).containsExactlyInAnyOrder("Ann: hello", "Bob: good day");
            assertThat(ann.texts).containsExactlyInAnyOrder("Ann: hello", "Bob: good day");
            watcher.close();
            n.network.run(3 * SECOND);
            assertThat(ann.vanished).hasSize(1);
            n.endpoint.close("bye now");
            n.network.run(3 * SECOND);
            assertThat(ann.endings).containsExactly(EndReason.SERVER_CLOSED);
            assertThat(ann.reasons).containsExactly("bye now");
            for (String drop : List.of("corrected", "insane", "authority", "malformed")) {
                assertThat(n.counters.get("bedrock.drop." + drop)).as("%s, %s", drop, way).isZero();
            }
        }
    }

    /** One that goes too fast is put back in each version. */
    @ParameterizedTest
    @MethodSource("protocols")
    void correctsPlayerOfEachVersion(int protocol) {
        BedrockNetwork n = new BedrockNetwork(1).hastening(3);
        Events ann = new Events();
        BedrockClient walker =
                join(
                        n,
                        "Ann",
                        (now, _) ->
                                new BotController.PlayerInput(
                                        now / 20_000_000.0 % 360, 0, 1, 0, false, false),
                        ann,
                        protocol);
        Vec3[] last = {walker.movement().position()};
        // A step is a fifth of a metre.
        boolean putBack =
                n.network.runUntil(
                        () -> {
                            Vec3 before = last[0];
                            last[0] = walker.movement().position();
                            return last[0].distance(before) > 1;
                        },
                        20 * SECOND);
        assertThat(putBack).isTrue();
        assertThat(n.counters.get("bedrock.drop.corrected")).isPositive();
        assertThat(ann.endings).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "684, 1", "687, 1", "705, 1", "785, 1", "893, 1", "1002, 1", "2192, 1", "2194, 2", "3000, 2"
    })
    void reportsOutdatedSideToUnknownVersions(int protocol, int status) {
        BedrockNetwork n = new BedrockNetwork(1);
        ScriptedClient client = new ScriptedClient(n, 7000);
        client.send(new LoginMessage.RequestNetworkSettings(protocol));
        assertThat(client.all(PlayStatus.class))
                .extracting(PlayStatus::status)
                .containsExactly(status);
        assertThat(client.kicked()).isTrue();
    }

    @Test
    void showsAllVersionsToEachOther() {
        BedrockNetwork n = new BedrockNetwork(1, Map.of(), 40);
        Events[] events = new Events[BedrockCodec.protocols().length];
        BedrockClient[] clients = new BedrockClient[events.length];
        for (int i = 0; i < events.length; i++) {
            events[i] = new Events();
            int turn = 360 * i / events.length;
            clients[i] =
                    join(
                            n,
                            "p" + BedrockCodec.protocols()[i],
                            (now, _) ->
                                    new BotController.PlayerInput(
                                            turn + now / 20_000_000.0, 0, 0.5, 0, false, false),
                            events[i],
                            BedrockCodec.protocols()[i]);
        }
        n.network.run(60 * SECOND);
        for (int i = 0; i < clients.length; i++) {
            assertThat(clients[i].joined()).isTrue();
            assertThat(clients[i].others()).hasSize(clients.length - 1);
            for (Client.RemotePlayer other : clients[i].others()) {
                assertThat(
                                other.movement()
                                        .position()
                                        .distance(player(n, other.name()).movement().position()))
                        .isLessThan(0.5);
            }
        }
        assertThat(n.counters.get("bedrock.drop.corrected")).isZero();
    }
}
