package dev.wishdir.quake2.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.game.BotController;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.RecordingClientListener;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.netchan.OutOfBand;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Our client on servers of other habits than ours, in virtual time. */
class Quake2ClientTest {
    private static final long SECOND = 1_000_000_000L;

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    private final ScriptedServer server;
    private final RecordingClientListener told = new RecordingClientListener();

    /** The address of the client that sent last. */
    private InetSocketAddress client = new InetSocketAddress(0);

    Quake2ClientTest() throws IOException {
        server = ScriptedServer.open(network);
        network.tap((_, from, to, _) -> {
            if (to.equals(server.address())) {
                client = from;
            }
        });
    }

    private Quake2Client connect(int seed) throws IOException {
        return Quake2Client.connect(
                ClientConfig.builder(network.cycle(), server.address())
                        .name("anna" + seed)
                        .controller((_, _) -> BotController.PlayerInput.look(0, 0))
                        .listener(told)
                        .random(new Random(seed))
                        .build());
    }

    @Test
    void sharesChallengeOfAddress() throws IOException {
        List<Quake2Client> clients = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            clients.add(connect(i));
        }
        assertThat(network.runUntil(() -> clients.stream().allMatch(Client::joined), 20 * SECOND))
                .isTrue();
        assertThat(server.answers).contains("print\nBad challenge.\n");
        assertThat(server.guests()).hasSize(4);
    }

    @Test
    void joinsThoughAcceptanceIsLost() throws IOException {
        server.losesAcceptance = true;
        Quake2Client client = connect(0);
        assertThat(network.runUntil(client::joined, 5 * SECOND)).isTrue();
        assertThat(server.answers).doesNotContain("client_connect");
        assertThat(server.guests()).hasSize(1);
    }

    @Test
    void reportsReasonOfServer() throws IOException {
        server.refusal = "Bad challenge.";
        connect(0);
        network.run(60 * SECOND);
        assertThat(told.events)
                .containsExactly(ClientListener.EndReason.TIMED_OUT + " Bad challenge.");
    }

    @Test
    void endsOnOtherRefusals() throws IOException {
        server.refusal = "Server is full.";
        connect(0);
        network.run(SECOND);
        assertThat(told.events)
                .containsExactly(ClientListener.EndReason.REFUSED + " Server is full.");
        assertThat(server.answers).containsOnlyOnce("print\nServer is full.\n");
    }

    private void forge(String answer) {
        network.inject(server.address(), client, new OutOfBand(answer).packet());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "print\nServer is full.\n",
                "print\nBad challenge.\n",
                "client_connect",
                "challenge 5",
                "challenge 5 p=34"
            })
    @DisplayName("C16: forged answers while a client connects")
    void joinsInSpiteOfForgedAnswers(String forged) throws IOException {
        network.conditions(new Conditions(0, 0, SECOND / 50, 0));
        Quake2Client joining = connect(0);
        for (int i = 0; i < 100; i++) {
            forge(forged);
            network.run(SECOND / 100);
        }
        assertThat(network.runUntil(joining::joined, 10 * SECOND)).isTrue();
    }

    @Test
    @DisplayName("C16: a forged acceptance of a request that was lost")
    void connectsAgainAfterForgedAcceptance() throws IOException {
        network.conditions(new Conditions(0, 0, SECOND / 50, 0));
        Quake2Client joining = connect(0);
        network.run(SECOND * 3 / 100);
        network.conditions(new Conditions(1, 0, SECOND / 50, 0));
        network.run(SECOND * 2 / 100);
        forge("client_connect");
        network.run(SECOND);
        network.conditions(new Conditions(0, 0, SECOND / 50, 0));
        assertThat(network.runUntil(joining::joined, 10 * SECOND)).isTrue();
    }

    @Test
    void pressesAttackUntilAlive() throws IOException {
        Quake2Client client = connect(0);
        assertThat(network.runUntil(() -> server.guests().stream().anyMatch(g -> g.alive), SECOND))
                .isTrue();
        network.run(SECOND);
        assertThat(client.state().pmType()).isZero();
    }

    @Test
    void acknowledgesReliableAtOnceWhileJoining() throws IOException {
        server.keepsWaiting = true;
        connect(0);
        assertThat(network.runUntil(() -> !server.guests().isEmpty(), SECOND)).isTrue();
        Netchan netchan = server.guests().getFirst().netchan;
        assertThat(network.runUntil(() -> !netchan.isQuiet(), SECOND)).isTrue();
        assertThat(network.runUntil(netchan::isQuiet, SECOND / 10)).isTrue();
    }
}
