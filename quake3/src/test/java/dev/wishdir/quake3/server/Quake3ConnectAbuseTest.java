package dev.wishdir.quake3.server;

import static dev.wishdir.quake3.server.session.ScriptedClient.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.netchan.Netchan;
import dev.wishdir.quake3.netchan.OutOfBand;
import dev.wishdir.quake3.netchan.Side;
import dev.wishdir.quake3.protocol.ReliableCommands;
import dev.wishdir.quake3.server.session.ScriptedClient;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Who comes in, who does not, and who is not put out by it. */
@Tag("slow")
class Quake3ConnectAbuseTest {
    private AbuseHarness harness = new AbuseHarness();

    Quake3ConnectAbuseTest() throws IOException {}

    @AfterEach
    void holds() throws IOException {
        harness.holds();
    }

    private static String userinfo(int challenge, int qport) {
        return "connect \"\\challenge\\%d\\qport\\%d\\protocol\\71\\name\\mallory\""
                .formatted(challenge, qport);
    }

    @Test
    @DisplayName("G4: 2^16 challenges guessed for another's address, a session there and none")
    void resistsChallengeGuessing() throws IOException {
        ScriptedClient victim = harness.client(1, 1).join("victim");
        InetSocketAddress nobody = new InetSocketAddress(InetAddress.getByName("20.1.2.3"), 27_960);
        Map<InetSocketAddress, Integer> sent = new HashMap<>();
        harness.network.tap((_, _, to, data) -> sent.merge(to, data.length, Integer::sum));
        Random random = new Random(7);
        int own = victim.challenge;
        for (int i = 0; i < TestEffort.times(1 << 16); i++) {
            int guess = i % 3 == 0 ? own + i : random.nextInt();
            boolean here = i % 2 == 0;
            byte[] connect =
                    new OutOfBand(userinfo(guess == own ? 1 : guess, victim.qport))
                            .datagram()
                            .toArray();
            harness.network.inject(here ? victim.address : nobody, AbuseHarness.SERVER, connect);
            if (i % 100 == 0) {
                harness.network.run(SECOND / 100);
                victim.walk(0);
            }
        }
        harness.run(1, victim);
        assertThat(harness.arena.players()).hasSize(3);
        assertThat(sent.get(nobody)).isLessThanOrEqualTo((4 << 10) + 16 * (2 << 10));
        assertThat(harness.departures("victim")).isEmpty();
        assertThat(victim.playing()).isTrue();
    }

    @Test
    @DisplayName("G5: a session driven blind after a right guess is sent a gamestate and no more")
    void boundsBlindSession() {
        ScriptedClient mallory = harness.client(1, 1).connect("\\name\\mallory");
        int bytes = mallory.datagramBytes;
        // A level's number is its time: it can be guessed.
        int level = 5_000;
        for (int i = 0; i < 30 * 50; i++) {
            mallory.send(0, 0, 0, new ClientMessage.ClientCommand(2 * i + 1, "donedl"));
            mallory.send(
                    level,
                    0,
                    0,
                    new ClientMessage.ClientCommand(2 * i + 2, "download baseoa/pak0.pk3"),
                    new ClientMessage.Move(true, List.of(ScriptedClient.command(i, 0, 127))));
            mallory.send(0, i, i % 3);
            harness.network.run(SECOND / 50);
        }
        assertThat(mallory.gamestates).isEqualTo(1);
        assertThat(mallory.blocks).isEmpty();
        assertThat(mallory.datagramBytes - bytes)
                .as("a gamestate, and five small snapshots a second")
                .isLessThan(4_000 + 30 * 5 * 20);
        assertThat(harness.find("mallory").orElseThrow().spawned()).isFalse();
    }

    @Test
    @DisplayName("G5: acknowledging what cannot have been seen is no sign of life")
    void ignoresInventedAcknowledgements() {
        ScriptedClient mallory = harness.client(1, 1).connect("\\name\\mallory");
        mallory.send();
        for (int i = 0; i < 62 * 10; i++) {
            mallory.send(0, 1 + i, 0);
            mallory.send(0, 1 << 20, 0);
            harness.network.run(SECOND / 10);
        }
        assertThat(harness.departures("mallory")).containsExactly(LeaveReason.TIMED_OUT);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5_000})
    @DisplayName(
            "G8, R10: all qports from a player's address, with his own message and its numbers")
    void keepsSessionForAllQports(int ahead) {
        ScriptedClient victim = harness.client(1, 1).join("victim");
        harness.run(1, victim);
        InetSocketAddress neighbour =
                new InetSocketAddress(victim.address.getAddress(), victim.address.getPort() + 1);
        List<byte[]> toNeighbour = new ArrayList<>();
        harness.network.tap((_, _, to, data) -> {
            if (to.equals(neighbour)) {
                toNeighbour.add(data);
            }
        });
        byte[] message =
                victim.codec.encode(
                        new ClientMessage(
                                victim.serverId,
                                victim.netchan.incoming(),
                                victim.codec.serverCommands().last(),
                                List.of()));
        for (int qport = 0; qport < 1 << 16; qport++) {
            Netchan forged =
                    new Netchan(
                            Side.CLIENT,
                            true,
                            qport,
                            victim.challenge,
                            victim.netchan.outgoing() + ahead);
            forged.send(
                    message,
                    (data, _, length) ->
                            harness.network.inject(
                                    neighbour,
                                    AbuseHarness.SERVER,
                                    java.util.Arrays.copyOf(data, length)));
            if (qport % 500 == 0) {
                harness.run(0.05, victim);
            }
        }
        int snapshots = victim.snapshots.size();
        harness.run(1, victim);
        assertThat(victim.snapshots.size() - snapshots).isGreaterThan(15);
        assertThat(toNeighbour).isEmpty();
    }

    @Test
    @DisplayName("G8, R10: a player moves to another port once nothing comes from the old one")
    void movesClientToAnotherPort() {
        ScriptedClient player = harness.client(1, 1).join("player");
        harness.run(1, player);
        int[] received = new int[11];
        for (int i = 0; i < received.length; i++) {
            int at = i;
            InetSocketAddress moved =
                    new InetSocketAddress(player.address.getAddress(), 50_000 + i);
            harness.network.tap((_, _, to, _) -> received[at] += to.equals(moved) ? 1 : 0);
            // From the last port for two seconds, from the others within one.
            for (int j = 0; j < (i == 10 ? 40 : 2); j++) {
                player.netchan.send(
                        player.codec.encode(
                                new ClientMessage(
                                        player.serverId,
                                        player.netchan.incoming(),
                                        player.codec.serverCommands().last(),
                                        List.of())),
                        (data, _, length) ->
                                harness.network.inject(
                                        moved,
                                        AbuseHarness.SERVER,
                                        java.util.Arrays.copyOf(data, length)));
                harness.network.run(SECOND / 25);
            }
        }
        assertThat(received[0]).isZero();
        assertThat(received[9]).isZero();
        assertThat(received[10]).isGreaterThan(10);
    }

    @Test
    @DisplayName(
            "G12: 200 connects from one address: eight are let in, the rest refused with the"
                    + " reason")
    void limitsConnectsPerAddress() {
        int accepted = 0;
        for (int i = 0; i < 200; i++) {
            ScriptedClient client =
                    new ScriptedClient(
                            harness.network,
                            AbuseHarness.SERVER,
                            AbuseHarness.address(1, 1, 1_000 + i),
                            71);
            client.ask("getchallenge 7 Quake3Arena");
            if (client.answers.isEmpty()) {
                continue;
            }
            int challenge = Integer.parseInt(client.answers.getLast().split(" ")[1]);
            String answer = client.ask(userinfo(challenge, client.qport));
            accepted += answer.startsWith("connectResponse") ? 1 : 0;
            if (accepted == 8 && !answer.startsWith("connectResponse") && i < 12) {
                assertThat(answer)
                        .isEqualTo("print\nToo many players or joins from your address.\n");
            }
        }
        // After five seconds of silence others may have their places.
        assertThat(accepted).isBetween(8, 16);
        assertThat(harness.events(ArenaEvent.Joined.class)).as("half open").hasSize(2);
        assertThat(harness.events(ArenaEvent.JoinRefused.class))
                .isNotEmpty()
                .allMatch(refused -> refused.from().equals("127.0.1.1"));
    }

    @Test
    @DisplayName("G12: 200 half-open connects from 50 addresses leave room for a newcomer")
    void admitsNewcomerDuringHalfOpenConnects() {
        int accepted = 0;
        for (int i = 0; i < 200; i++) {
            int net = 1 + i % 50;
            ScriptedClient client =
                    new ScriptedClient(
                            harness.network,
                            AbuseHarness.SERVER,
                            AbuseHarness.address(net, 1, 1_000 + i),
                            71);
            client.ask("getchallenge 7 Quake3Arena");
            int challenge = Integer.parseInt(client.answers.getLast().split(" ")[1]);
            accepted +=
                    client.ask(userinfo(challenge, client.qport)).startsWith("connectR") ? 1 : 0;
        }
        assertThat(accepted).isGreaterThan(64);
        assertThat(harness.arena.players()).hasSize(2);
    }

    /** The same client after its player has typed {@code /reconnect}. */
    private ScriptedClient again(ScriptedClient client) {
        client.gone = true;
        return new ScriptedClient(harness.network, AbuseHarness.SERVER, client.address, 71);
    }

    @Test
    @DisplayName("who reconnects is let in each time, with a challenge of his own")
    void admitsEachReconnect() {
        ScriptedClient client = harness.client(1, 1).join("player");
        int challenge = client.challenge;
        for (int i = 0; i < 5; i++) {
            client.say("disconnect");
            harness.network.run(SECOND / 20);
            client = again(client).join("player");
            assertThat(client.challenge).as("the %dth time", i).isNotEqualTo(challenge);
            challenge = client.challenge;
        }
        assertThat(harness.departures("player")).hasSize(5).containsOnly(LeaveReason.LEFT);
        assertThat(harness.arena.players()).hasSize(3);
    }

    @Test
    @DisplayName("a connect whose answers are lost is answered again, however late")
    void repeatsLostAnswers() {
        ScriptedClient client = harness.client(1, 1).connect("\\name\\player");
        for (int i = 0; i < 3; i++) {
            harness.network.run(3 * SECOND);
            assertThat(client.ask(userinfo(client.challenge, client.qport)))
                    .isEqualTo("connectResponse " + client.challenge);
        }
        client.send();
        harness.network.run(SECOND / 2);
        assertThat(client.gamestates).isEqualTo(1);
        client.ask(userinfo(client.challenge, client.qport));
        assertThat(client.answers).as("a late copy").isEmpty();
        assertThat(harness.departures("mallory")).isEmpty();
    }

    @Test
    @DisplayName("G3, G20: what waits for others' parts and acknowledgements has a total")
    void boundsTotalMemory() throws IOException {
        harness = new AbuseHarness(600_000);
        List<ScriptedClient> crowd = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            crowd.add(harness.client(1 + i, 1).join("m" + i));
        }
        String[] longest = new String[ReliableCommands.SIZE];
        java.util.Arrays.fill(longest, "nothing " + "x".repeat(900));
        long most = 0;
        for (ScriptedClient client : crowd) {
            // A second of a client's rate, so that its long message is taken in.
            for (int i = 0; i < ReliableCommands.SIZE; i += 8) {
                client.say(java.util.Arrays.copyOfRange(longest, i, i + 8));
            }
            // The first part of a message whose others never come.
            client.netchan.send(
                    new byte[15_000],
                    (data, _, length) -> client.inject(java.util.Arrays.copyOf(data, length)));
            for (int i = 0; i < 9; i++) {
                client.netchan.sendFragment(
                        (data, _, length) -> client.inject(java.util.Arrays.copyOf(data, length)));
            }
            harness.network.run(SECOND / 10);
            most = Math.max(most, harness.memoryBudget.retainedBytes());
        }
        assertThat(most).isBetween(400_000L, 600_000L);
        assertThat(harness.counters.get("memory.ended")).isBetween(4L, 15L);
        assertThat(harness.events(ArenaEvent.Left.class))
                .isNotEmpty()
                .allMatch(left -> left.reason().text().contains("memory"))
                .noneMatch(left -> List.of("alice", "bob").contains(left.player().name()));
    }
}
